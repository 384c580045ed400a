<?php
// Prints the names of files, which are the arguments after the folder, as PHP itself divides texts
// into tokens: a JSON object a line. Lines count from 1, columns from 0 in UTF-16 units.

const DECLARING = [
    T_CLASS => 'type',
    T_INTERFACE => 'type',
    T_TRAIT => 'type',
    T_ENUM => 'type',
    T_FUNCTION => 'function',
];
// The class around them, which they do not name.
const KEYWORDS = ['self', 'parent', 'static'];
const NAMES = [T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED, T_NAME_RELATIVE];

chdir($argv[1]);
foreach (array_slice($argv, 2) as $file) {
    try {
        $names = namesOf(file_get_contents($file));
    } catch (ParseError) {
        continue;
    }
    echo json_encode(['file' => $file, 'names' => $names], JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}

function namesOf(string $text): array
{
    $names = [];
    // The depth of brackets at which the bodies of types begin.
    $types = [];
    $depth = 0;
    $awaited = null;
    $before = null;
    foreach (PhpToken::tokenize($text, TOKEN_PARSE) as $token) {
        if ($token->isIgnorable()) {
            continue;
        }
        if ($token->text === '{' || $token->is([T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
            $depth += 1;
            if ($awaited === 'body') {
                $types[] = $depth;
                $awaited = null;
            }
        } elseif ($token->text === '}') {
            if (end($types) === $depth) {
                array_pop($types);
            }
            $depth -= 1;
        } elseif ($token->is(T_CLASS) && $before?->is(T_NEW)) {
            $awaited = 'body';
        } elseif ($token->is(NAMES)) {
            $name = nameOf($text, $token);
            $kind = $before === null ? null : (DECLARING[$before->id] ?? null);
            if ($before?->text === '&' && $awaited === 'function') {
                $kind = 'function';
            }
            if ($before?->is(T_DOUBLE_COLON) && $token->text === 'class') {
                $kind = null;
            }
            if ($kind === 'type') {
                $awaited = 'body';
            } elseif ($kind === 'function') {
                $awaited = null;
                $kind = end($types) === $depth ? 'method' : 'function';
            }
            if (!in_array(strtolower($token->text), KEYWORDS, true)) {
                $names[] = [...$name, $kind];
            }
        } elseif ($token->is(T_FUNCTION)) {
            $awaited = $awaited === 'body' ? 'body' : 'function';
        } elseif ($awaited === 'function' && $token->text !== '&') {
            $awaited = null;
        }
        $before = $token;
    }
    return $names;
}

/** Returns the last segment of a name with its place. */
function nameOf(string $text, PhpToken $token): array
{
    $slash = strrpos($token->text, '\\');
    $at = $token->pos + ($slash === false ? 0 : $slash + 1);
    $start = strrpos(substr($text, 0, $at), "\n");
    $start = $start === false ? 0 : $start + 1;
    $line = substr($text, $start, $at - $start);
    $letters = preg_match_all('/[^\x80-\xBF]/', $line);
    $column = $letters + preg_match_all('/[\xF0-\xF7]/', $line);
    return [substr($token->text, $slash === false ? 0 : $slash + 1), $token->line, $column];
}
