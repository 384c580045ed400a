// Prints what each identifier of a Go module means, by the type checker of the standard library.
//
// Usage: go run links_truth.go FOLDER
//
// Each line is JSON: {"file", "line", "column", "name", "kind", "uses": [[file, line, column], …]} of a
// function, a method or a type that the module declares. Lines count from 1, and columns from 0 in
// UTF-16 units. Packages outside of the module and of the standard library are empty, so expressions
// of their types have none. Files with build constraints that exclude linux/amd64 are left out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf16"
)

type place struct {
	file         string
	line, column int
}

type declaration struct {
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Column int     `json:"column"`
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	Uses   [][]any `json:"uses"`
}

type program struct {
	root, module string
	files        *token.FileSet
	standard     types.Importer
	packages     map[string]*types.Package
	texts        map[string][]string
	declarations map[place]*declaration
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	check(err)
	p := &program{
		root:         root,
		module:       modulePath(root),
		files:        token.NewFileSet(),
		packages:     map[string]*types.Package{},
		texts:        map[string][]string{},
		declarations: map[place]*declaration{},
	}
	p.standard = importer.ForCompiler(p.files, "source", nil)
	for _, folder := range goFolders(root) {
		p.checkFolder(folder)
	}
	p.print()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func modulePath(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if rest, found := strings.CutPrefix(line, "module "); found {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// goFolders returns the folders of the module with Go files, relative to it.
func goFolders(root string) []string {
	found := map[string]bool{}
	check(filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		check(err)
		isHidden := strings.HasPrefix(entry.Name(), ".") || strings.HasPrefix(entry.Name(), "_")
		if entry.IsDir() && name != root {
			_, isModule := os.Stat(filepath.Join(name, "go.mod"))
			if isHidden || entry.Name() == "testdata" || entry.Name() == "vendor" || isModule == nil {
				return filepath.SkipDir
			}
		}
		if !entry.IsDir() && strings.HasSuffix(name, ".go") {
			folder, err := filepath.Rel(root, filepath.Dir(name))
			check(err)
			found[folder] = true
		}
		return nil
	}))
	folders := []string{}
	for folder := range found {
		folders = append(folders, folder)
	}
	sort.Strings(folders)
	return folders
}

// checkFolder checks the package of a folder with its tests, and the package of external tests.
func (p *program) checkFolder(folder string) {
	own := p.buildPackage(folder)
	importPath := path.Join(p.module, filepath.ToSlash(folder))
	p.checkFiles(importPath, folder, append(own.GoFiles, own.TestGoFiles...))
	p.checkFiles(importPath+"_test", folder, own.XTestGoFiles)
}

func (p *program) buildPackage(folder string) *build.Package {
	own, _ := build.ImportDir(filepath.Join(p.root, folder), build.IgnoreVendor)
	return own
}

func (p *program) parse(folder string, names []string) []*ast.File {
	files := []*ast.File{}
	for _, name := range names {
		file, _ := parser.ParseFile(p.files, filepath.Join(p.root, folder, name), nil, 0)
		if file != nil {
			files = append(files, file)
		}
	}
	return files
}

func (p *program) checkFiles(importPath, folder string, names []string) {
	files := p.parse(folder, names)
	info := &types.Info{
		Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: p, Error: func(error) {}, FakeImportC: true}
	_, _ = config.Check(importPath, p.files, files, info)
	for _, object := range info.Defs {
		p.declare(object)
	}
	for identifier, object := range info.Uses {
		if declared := p.declare(object); declared != nil {
			at := p.place(identifier.Pos())
			declared.Uses = append(declared.Uses, []any{at.file, at.line, at.column})
		}
	}
}

// Import implements types.Importer: packages of the module are checked without their tests.
func (p *program) Import(name string) (*types.Package, error) {
	if found := p.packages[name]; found != nil {
		return found, nil
	}
	folder, isOwn := strings.CutPrefix(name, p.module)
	if isOwn && (folder == "" || folder[0] == '/') {
		folder = strings.TrimPrefix(folder, "/")
		files := p.parse(folder, p.buildPackage(folder).GoFiles)
		config := types.Config{Importer: p, Error: func(error) {}, FakeImportC: true}
		p.packages[name] = types.NewPackage(name, path.Base(name))
		checked, _ := config.Check(name, p.files, files, nil)
		p.packages[name] = checked
		return checked, nil
	}
	if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
		if found, err := p.standard.Import(name); err == nil {
			p.packages[name] = found
			return found, nil
		}
	}
	empty := types.NewPackage(name, path.Base(name))
	empty.MarkComplete()
	p.packages[name] = empty
	return empty, nil
}

// declare returns the declaration of an object of the module.
func (p *program) declare(object types.Object) *declaration {
	kind := ""
	switch object := object.(type) {
	case *types.Func:
		origin := object.Origin()
		kind = "function"
		if signature, _ := origin.Type().(*types.Signature); signature != nil && signature.Recv() != nil {
			kind = "method"
		}
		return p.declaration(origin, kind)
	case *types.TypeName:
		if _, isParameter := object.Type().(*types.TypeParam); isParameter {
			return nil
		}
		return p.declaration(object, "type")
	}
	return nil
}

func (p *program) declaration(object types.Object, kind string) *declaration {
	name := object.Name()
	if !object.Pos().IsValid() || name == "_" || name == "init" {
		return nil
	}
	at := p.place(object.Pos())
	if strings.HasPrefix(at.file, "..") {
		return nil
	}
	known := p.declarations[at]
	if known == nil {
		known = &declaration{at.file, at.line, at.column, name, kind, [][]any{}}
		p.declarations[at] = known
	}
	return known
}

func (p *program) place(at token.Pos) place {
	position := p.files.Position(at)
	name, err := filepath.Rel(p.root, position.Filename)
	check(err)
	lines := p.texts[position.Filename]
	if lines == nil {
		text, _ := os.ReadFile(position.Filename)
		lines = strings.Split(string(text), "\n")
		p.texts[position.Filename] = lines
	}
	before := ""
	if position.Line <= len(lines) && position.Column <= len(lines[position.Line-1]) {
		before = lines[position.Line-1][:position.Column-1]
	}
	column := len(utf16.Encode([]rune(before)))
	return place{filepath.ToSlash(name), position.Line, column}
}

func (p *program) print() {
	places := []place{}
	for at := range p.declarations {
		places = append(places, at)
	}
	sort.Slice(places, func(i, j int) bool {
		a, b := places[i], places[j]
		if a.file != b.file {
			return a.file < b.file
		}
		return a.line < b.line || a.line == b.line && a.column < b.column
	})
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for _, at := range places {
		check(encoder.Encode(p.declarations[at]))
	}
}
