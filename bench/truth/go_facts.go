// Prints what each Go file below a folder says by itself, by the parser of the standard library.
//
// Usage: go run go_facts.go FOLDER
//
// Each line is JSON: {"file", "definitions": [[name, line, column], …], "imports": [[path, member,
// alias], …], "calls": [[line, column, name], …], "references": […], "ambiguous": […]}. Lines count
// from 1, and columns from 0 in UTF-16 units. Conversions look like calls. Ambiguous are keys of
// composite literals, which may be fields, and names of packages before a dot, which mean no
// definition. nil, true, false and iota are no names. Files with syntax errors are left out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

var (
	literals = map[string]bool{"_": true, "nil": true, "true": true, "false": true, "iota": true}
	version  = regexp.MustCompile("^v[0-9]+$")
)

type facts struct {
	File        string  `json:"file"`
	Definitions [][]any `json:"definitions"`
	Imports     [][]any `json:"imports"`
	Calls       [][]any `json:"calls"`
	References  [][]any `json:"references"`
	Ambiguous   [][]any `json:"ambiguous"`
}

type reader struct {
	facts
	files *token.FileSet
	lines []string
	// The identifiers that declare something or are labels.
	declared map[*ast.Ident]bool
	packages map[string]bool
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	check(filepath.WalkDir(os.Args[1], func(name string, entry fs.DirEntry, err error) error {
		check(err)
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		check(err)
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		r := &reader{
			facts:    facts{name, [][]any{}, [][]any{}, [][]any{}, [][]any{}, [][]any{}},
			files:    files,
			lines:    strings.Split(string(text), "\n"),
			declared: map[*ast.Ident]bool{file.Name: true},
			packages: map[string]bool{},
		}
		ast.Inspect(file, r.visitDeclaration)
		ast.Inspect(file, r.visitUse)
		return encoder.Encode(r.facts)
	}))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// visitDeclaration notes the identifiers that are no uses.
func (r *reader) visitDeclaration(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.ImportSpec:
		r.imports(node)
	case *ast.FuncDecl:
		r.define(node.Name)
	case *ast.TypeSpec:
		r.define(node.Name)
	case *ast.ValueSpec:
		r.declare(node.Names...)
	case *ast.Field:
		r.declare(node.Names...)
	case *ast.InterfaceType:
		for _, field := range node.Methods.List {
			for _, name := range field.Names {
				r.define(name)
			}
		}
	case *ast.LabeledStmt:
		r.declare(node.Label)
	case *ast.BranchStmt:
		r.declare(node.Label)
	case *ast.AssignStmt:
		if node.Tok == token.DEFINE {
			r.declareAll(node.Lhs...)
		}
	case *ast.RangeStmt:
		if node.Tok == token.DEFINE {
			r.declareAll(node.Key, node.Value)
		}
	case *ast.SelectorExpr:
		if name, isName := node.X.(*ast.Ident); isName && r.packages[name.Name] {
			r.leaveOut(name)
		}
	case *ast.CompositeLit:
		for _, element := range node.Elts {
			if pair, isPair := element.(*ast.KeyValueExpr); isPair {
				if key, isName := pair.Key.(*ast.Ident); isName {
					r.leaveOut(key)
				}
			}
		}
	}
	return true
}

func (r *reader) visitUse(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.CallExpr:
		if name := called(node.Fun); name != nil {
			r.Calls = append(r.Calls, r.row(name))
		}
	case *ast.Ident:
		if !r.declared[node] && !literals[node.Name] {
			r.References = append(r.References, r.row(node))
		}
	}
	return true
}

// called returns the name of what is called: f of f(), a.f(), (f)() and f[int]().
func called(function ast.Expr) *ast.Ident {
	switch function := function.(type) {
	case *ast.Ident:
		return function
	case *ast.SelectorExpr:
		return function.Sel
	case *ast.ParenExpr:
		return called(function.X)
	case *ast.IndexExpr:
		return called(function.X)
	case *ast.IndexListExpr:
		return called(function.X)
	}
	return nil
}

func (r *reader) define(name *ast.Ident) {
	r.declare(name)
	if name.Name != "_" {
		at := r.row(name)
		r.Definitions = append(r.Definitions, []any{name.Name, at[0], at[1]})
	}
}

func (r *reader) declare(names ...*ast.Ident) {
	for _, name := range names {
		if name != nil {
			r.declared[name] = true
		}
	}
}

func (r *reader) leaveOut(name *ast.Ident) {
	r.declare(name)
	r.Ambiguous = append(r.Ambiguous, r.row(name))
}

func (r *reader) declareAll(names ...ast.Expr) {
	for _, one := range names {
		if name, isName := one.(*ast.Ident); isName {
			r.declare(name)
		}
	}
}

func (r *reader) imports(spec *ast.ImportSpec) {
	name, err := strconv.Unquote(spec.Path.Value)
	check(err)
	row := []any{name, nil, nil}
	if spec.Name != nil {
		r.declare(spec.Name)
		if spec.Name.Name == "." {
			row[1] = "*"
		} else {
			row[2] = spec.Name.Name
			r.packages[spec.Name.Name] = true
		}
	} else {
		r.packages[packageOf(name)] = true
	}
	r.Imports = append(r.Imports, row)
}

// packageOf returns the name that a package most likely has: b of a/b, a/b/v2 and a/b.v2.
func packageOf(name string) string {
	base := path.Base(name)
	if version.MatchString(base) {
		base = path.Base(path.Dir(name))
	}
	base, _, _ = strings.Cut(base, ".v")
	return strings.TrimPrefix(base, "go-")
}

// row returns the line, the column and the text of a name.
func (r *reader) row(name *ast.Ident) []any {
	position := r.files.PositionFor(name.Pos(), false)
	before := r.lines[position.Line-1][:position.Column-1]
	column := len(utf16.Encode([]rune(before)))
	return []any{position.Line, column, name.Name}
}
