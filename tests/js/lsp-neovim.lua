-- Drives `ragnav lsp` from Neovim: opens a file, edits it without saving, and prints what the
-- editor learns, as JSON.
local program, cli, repo = vim.env.LSP_NODE, vim.env.LSP_CLI, vim.env.LSP_REPO

local client_id = vim.lsp.start_client({
	name = "ragnav",
	cmd = { program, cli, "lsp" },
	root_dir = repo,
})

vim.cmd("edit " .. repo .. "/shop/cart.py")
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client_id)
vim.wait(30000, function()
	return vim.lsp.buf_get_clients(buffer)[client_id] ~= nil
end, 20)

local function ask(method, params)
	local replies = vim.lsp.buf_request_sync(buffer, method, params, 30000) or {}
	local reply = replies[client_id] or {}
	return reply.result or reply.err or reply.error
end

local function position(extra)
	local params = vim.lsp.util.make_position_params(0, "utf-16")
	return vim.tbl_extend("force", params, extra or {})
end

local seen = {}
vim.api.nvim_win_set_cursor(0, { 7, 20 })
seen.definition = ask("textDocument/definition", position())
seen.hover = ask("textDocument/hover", position())
vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "# typed", "# not saved" })
vim.api.nvim_win_set_cursor(0, { 9, 20 })
local context = { context = { includeDeclaration = false } }
seen.references = ask("textDocument/references", position(context))
local edit = ask("textDocument/rename", position({ newName = "cost_of" }))
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
seen.renamed = vim.api.nvim_buf_get_lines(buffer, 8, 9, false)[1]
io.stdout:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
vim.lsp.stop_client(client_id)
vim.cmd("qall!")
