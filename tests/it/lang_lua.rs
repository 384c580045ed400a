//! Lua: definitions and references.

use crate::lang_rows::check;

#[test]
fn functions_are_named_by_what_they_are_assigned_to() {
    check(
        "a.lua",
        r#"#!/usr/bin/lua
local M = {}

--- Adds.
-- @param a a number
local function add(a, ...) return a end
function M.sub(a) end
function M.inner.list:push(item)
  self:grow()
  local function deep() end
end
M.get = function(key) end
M["set"] = function() end
M[1] = function() end
M[key].f = function() end
local later
later = function() return later end
local one, two = function() end, 2
limit <const> = 3
local t = {
  -- Runs.
  run = function(self) end,
  ["stop"] = function() end,
  ["a b"] = function() end,
  [run] = function() end,
  n = { m = function() end },
}
return { open = function() end }
"#,
        &[
            "add function 6 6-6",
            "M.sub function 7 7-7",
            "M.inner.list.push method 8 8-11",
            "M.inner.list.push.deep function 10 10-10",
            "M.get function 12 12-12",
            "M.set function 13 13-13",
            "later function 17 17-17",
            "one function 18 18-18",
            "t.run function 22 22-22",
            "t.stop function 23 23-23",
            "t.n.m function 26 26-26",
            "open function 28 28-28",
        ],
        &[
            "#3 8:11 ?.inner read",
            "#3 8:17 ?.list read",
            "#3 9:7 this.grow call",
            "#0 15:2 ?.key read",
            "#0 15:7 ?.f read",
            "#7 17:26 later read",
            "#0 19:0 ?.limit read",
            "#0 19:7 ?.const read",
            "#0 25:3 ?.run read",
        ],
        &[],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "a.lua",
        r#"local util = require "shop.util"
local later, count
local function helper(n) return n + count end
function later() return helper(1) end
local function other(helper, t)
  helper(2)
  for i, later in pairs(t) do use(i, later) end
  for n = 1, later() do use(n) end
  local other = other(3)
  do local later = 4 end
  later().x = util.trim(helper)
  t:run { [other] = later, later = 5, ["key"] = helper }
  ::again:: goto again
end
later = count
return { other = other }
"#,
        &[
            "helper function 3 3-3",
            "later function 4 4-4",
            "other function 5 5-14",
        ],
        &[
            "#0 1:13 ?.require call",
            "#2 4:24 helper call",
            "#3 7:18 ?.pairs call",
            "#3 7:30 ?.use call",
            "#3 8:13 later call",
            "#3 8:24 ?.use call",
            "#3 9:16 other call",
            "#3 11:2 later call",
            "#3 11:10 ?.x read",
            "#3 11:19 ?.trim call",
            "#3 12:4 ?.run call",
            "#3 12:20 later read",
            "#0 15:0 later read",
            "#0 16:17 other read",
        ],
        &[],
    );
}

#[test]
fn methods_call_the_instance_by_its_name() {
    check(
        "a.lua",
        "--[[-- Carts.\n]]\nlocal Cart = {}\nfunction Cart:total() return self:sum() + sum() end\n\
         function Cart.sum(self) end\nfunction Cart.new() return Cart.sum() end\n",
        &[
            "Cart.total method 4 4-4",
            "Cart.sum function 5 5-5",
            "Cart.new function 6 6-6",
        ],
        &[
            "#1 4:34 this.sum call",
            "#1 4:42 ?.sum call",
            "#3 6:32 ?.sum call",
        ],
        &[],
    );
}
