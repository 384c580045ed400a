// What the tests of plug-ins share: Ruby, as a language that a program adds.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const PKG = fileURLToPath(new URL("../../pkg/", import.meta.url));
export const GRAMMAR = join(PKG, "languages", "tree-sitter-ruby.wasm.gz");

export const TAGS = `
((comment)* @doc . (method name: (_) @name) @definition.method
  (#strip! @doc "^#\\\\s*") (#select-adjacent! @doc @definition.method))
(class name: (constant) @name) @definition.class
(call method: (identifier) @name) @reference.call
((identifier) @name @reference.call (#is-not? local) (#not-match? @name "^puts$"))
`;
export const LOCALS = `
(method) @local.scope
((method name: (identifier) @local.definition)
  (#set! definition.function.scope "parent"))
(method_parameters (identifier) @local.definition)
(identifier) @local.reference
`;
export const FILES = {
	"cart.rbx": `# The cart.
class Cart
  def total(list)
    list.map { price_of(1) }
  end
end
`,
	"price.rbx": "# Looks up a price.\ndef price_of(article)\n  1\nend\n",
	"tax.py": "def price_of(): ...\nprice_of()\n",
};
