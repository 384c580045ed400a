<?php
// Prints what each PHP file below a folder says by itself, by PHP-Parser.
//
// Usage: php php_facts.php FOLDER
//
// Each line is JSON: {"file", "definitions": [[name, line, column], …], "imports": [[name, member,
// alias], …], "calls": [[line, column, name], …], "references": […], "ambiguous": […]}. Lines count
// from 1, and columns from 0 in UTF-16 units. Of a qualified name, the last segment counts. A class
// after `new` is a call. self, parent, static, true, false and null are no names. Imports of
// constants are left out. Files with syntax errors are left out.

require '/usr/share/php/PhpParser/autoload.php';

use PhpParser\Error;
use PhpParser\Lexer;
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Identifier;
use PhpParser\Node\Name;
use PhpParser\Node\Stmt;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitorAbstract;
use PhpParser\ParserFactory;

final class Facts extends NodeVisitorAbstract
{
    private const KEYWORDS = ['self', 'parent', 'static', 'true', 'false', 'null'];

    public array $rows;

    public function __construct(private string $text, string $file)
    {
        $this->rows = ['file' => $file];
        foreach (['definitions', 'imports', 'calls', 'references', 'ambiguous'] as $category) {
            $this->rows[$category] = [];
        }
    }

    public function enterNode(Node $node): ?int
    {
        if ($node instanceof Stmt\Use_ || $node instanceof Stmt\GroupUse) {
            $this->import($node);
            return NodeTraverser::DONT_TRAVERSE_CHILDREN;
        }
        if ($node instanceof Stmt\TraitUseAdaptation) {
            return NodeTraverser::DONT_TRAVERSE_CHILDREN;
        }
        if ($node instanceof Stmt\Namespace_) {
            $this->enterNamespace($node);
        } elseif ($node instanceof Stmt\ClassLike && $node->name !== null) {
            $this->define($node->name);
        } elseif ($node instanceof Stmt\Function_ || $node instanceof Stmt\ClassMethod) {
            $this->define($node->name);
        } elseif ($node instanceof Name) {
            $this->add('references', $node);
        } else {
            $this->call($node);
        }
        return null;
    }

    private function enterNamespace(Stmt\Namespace_ $node): void
    {
        if ($node->name === null) {
            return;
        }
        if ($node->getAttribute('kind') === Stmt\Namespace_::KIND_BRACED) {
            $this->define($node->name);
        }
        $node->name = null;
    }

    private function call(Node $node): void
    {
        if ($node instanceof Expr\FuncCall && $node->name instanceof Name) {
            $this->add('calls', $node->name);
        } elseif ($node instanceof Expr\New_ && $node->class instanceof Name) {
            $this->add('calls', $node->class);
        } elseif (
            ($node instanceof Expr\MethodCall
                || $node instanceof Expr\NullsafeMethodCall
                || $node instanceof Expr\StaticCall)
            && $node->name instanceof Identifier
        ) {
            $this->add('calls', $node->name);
            $this->add('references', $node->name);
        }
    }

    private function import(Stmt\Use_|Stmt\GroupUse $node): void
    {
        $prefix = $node instanceof Stmt\GroupUse ? $node->prefix->toString() . '\\' : '';
        foreach ($node->uses as $use) {
            if (in_array(Stmt\Use_::TYPE_CONSTANT, [$node->type, $use->type], true)) {
                continue;
            }
            $row = [$prefix . $use->name->toString(), $use->name->getLast(), $use->alias?->name];
            $this->rows['imports'][] = $row;
        }
    }

    private function define(Identifier|Name $name): void
    {
        [$line, $column, $text] = $this->place($name);
        $this->rows['definitions'][] = [$text, $line, $column];
    }

    private function add(string $category, Identifier|Name $name): void
    {
        if ($name instanceof Identifier || !in_array($name->toLowerString(), self::KEYWORDS, true)) {
            $this->rows[$category][] = $this->place($name);
        }
    }

    private function place(Identifier|Name $name): array
    {
        $text = $name instanceof Name ? $name->getLast() : $name->name;
        $at = $name->getEndFilePos() + 1 - strlen($text);
        $start = strrpos(substr($this->text, 0, $at), "\n");
        $before = substr($this->text, $start === false ? 0 : $start + 1, $at - ($start === false ? 0 : $start + 1));
        $column = preg_match_all('/[^\x80-\xBF]/', $before) + preg_match_all('/[\xF0-\xF7]/', $before);
        return [$name->getEndLine(), $column, $text];
    }
}

$attributes = ['usedAttributes' => ['startLine', 'endLine', 'startFilePos', 'endFilePos']];
$parser = (new ParserFactory())->create(ParserFactory::ONLY_PHP7, new Lexer\Emulative($attributes));
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($argv[1], FilesystemIterator::SKIP_DOTS));
$names = [];
foreach ($files as $file) {
    if ($file->isFile() && in_array($file->getExtension(), ['php', 'phtml'], true)) {
        $names[] = $file->getPathname();
    }
}
sort($names);
foreach ($names as $name) {
    $text = file_get_contents($name);
    try {
        $tree = $parser->parse($text);
    } catch (Error) {
        continue;
    }
    $facts = new Facts($text, $name);
    $traverser = new NodeTraverser();
    $traverser->addVisitor($facts);
    $traverser->traverse($tree);
    echo json_encode($facts->rows, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
