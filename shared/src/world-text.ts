import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { FIELD_REQUIRED, NOT_A_STRING, OMIT_FIELD } from './fields.ts';
import { readJson } from './http.ts';
import { findRepeatedNames } from './repeated-names.ts';

/** An error in a world's text. */
export interface WorldMistake {
  /** Line number, starting at 1. */
  line: number;
  /** Path of the value, e.g. `organisations.0.code`. Empty if the text can't be read at all. */
  path: string;
  message: string;
}

/** A problem in a world. The path consists of field names and list indexes, outermost first. */
interface Issue {
  path: readonly (string | number)[];
  message: string;
}

export interface WorldText {
  /** The parsed world. Undefined if there are errors. */
  world: unknown;
  /** Reasons why the text is not valid YAML or JSON. */
  mistakes: WorldMistake[];
  /** Adds line numbers to problems, preserving their order. */
  locate(issues: readonly Issue[]): WorldMistake[];
}

const SEVERAL = 'A world must be a single document. Remove the line --- or everything after it';

/** Replacements for the library's messages that may quote the text. */
const UNQUOTED: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'In YAML, a value that starts with ! is a tag, and this tag is unknown. Put the value in quotes',
  BAD_INDENT: 'This line is indented too little or too much',
  TAB_AS_INDENT: 'Indent with spaces, not tabs',
  MISSING_CHAR: 'A character is missing here, such as a quote, a comma or a bracket',
  UNEXPECTED_TOKEN: 'YAML does not expect this character here',
};
const UNREADABLE = 'This is neither YAML nor JSON from here on';

const ALIASES_MAX = 10_000;
const ALIASES =
  'In YAML, a value that starts with * is an alias, and this one is undefined or one of too many. Put the value in quotes';

const EMPTY: WorldMistake = {
  line: 1,
  path: '',
  message: 'This contains no world. The text is empty or has only comments',
};

const repeated = (name: string | number | undefined): string => `${name} appears twice. Use each name once`;

/**
 * Parses a world in YAML or JSON, without validating it.
 * @param isSecret true if messages must not quote the text. An unquoted secret can start with a character that is
 * special in YAML
 */
export function readWorldText(text: string, { isSecret = false } = {}): WorldText {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  // Supports merge keys (`<<`). YAML 1.2 has dropped them, but worlds with repetitions need them.
  const parse = () => parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, merge: true });
  const locateIn = (found: Document, issues: readonly Issue[]) =>
    issues
      .map(({ path, message }) => {
        const { node, offset } = findIn(found, path);
        return { line: lineAt(offset), path: path.join('.'), message: hinted(message, node) };
      })
      .toSorted((a, b) => a.line - b.line);

  // Try JSON.parse first, because it is much faster than YAML. YAML is then only needed for line numbers.
  const json = readJson(text);
  if (json === null) return { world: undefined, mistakes: [EMPTY], locate: () => [] };
  if (json !== undefined) {
    const locate = (issues: readonly Issue[]) => locateIn(parse(), issues);
    const errors = findRepeatedNames(text).map(({ path, offset }) => ({
      line: text.slice(0, offset).split('\n').length,
      path: path.join('.'),
      message: repeated(path.at(-1)),
    }));
    return { world: errors.length > 0 ? undefined : json, mistakes: errors, locate };
  }

  const found = parse();
  const locate = (issues: readonly Issue[]) => locateIn(found, issues);
  // Warnings are treated as errors, because an unknown tag is only a warning and its value would be silently ignored.
  const problems = [...found.errors, ...found.warnings];
  if (problems.length > 0) {
    const errors = problems.map(({ code, pos, message }) => ({
      line: lineAt(pos[0]),
      path: '',
      message: code === 'MULTIPLE_DOCS' ? SEVERAL : isSecret ? (UNQUOTED[code] ?? UNREADABLE) : message,
    }));
    return { world: undefined, mistakes: errors, locate };
  }
  const errors = [...repeatsIn(found.contents, [])].map(({ path, offset }) => ({
    line: lineAt(offset),
    path: path.join('.'),
    message: repeated(path.at(-1)),
  }));
  if (errors.length > 0) return { world: undefined, mistakes: errors, locate };
  try {
    const world: unknown = found.toJS({ maxAliasCount: ALIASES_MAX }) ?? undefined;
    return { world, mistakes: world === undefined ? [EMPTY] : [], locate };
  } catch {
    // Refuse too many aliases: a few lines of aliases can expand to more than fits in memory.
    return { world: undefined, mistakes: [{ line: 1, path: '', message: ALIASES }], locate };
  }
}

/**
 * Adds a hint to a message about an unquoted value. YAML doesn't read 123, 007, true and null as strings, which is
 * surprising in codes or names.
 */
function hinted(message: string, node: unknown): string {
  if (!isScalar(node) || node.type !== 'PLAIN' || !node.source) return message;
  if (message === NOT_A_STRING) return `${NOT_A_STRING}: put it in quotes`;
  const isOfNull = message === FIELD_REQUIRED || message === OMIT_FIELD;
  return isOfNull ? `${message}. In quotes, ${node.source} is a string` : message;
}

/** Finds the node at a path and its offset. For a missing node, returns its parent's offset. */
function findIn({ contents }: Document, path: Issue['path']): { node?: unknown; offset: number } {
  let node: unknown = contents;
  let offset = startOf(contents) ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return { offset };
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else return { offset };
  }
  return { node, offset };
}

/** Finds names that occur more than once in a map. */
function* repeatsIn(
  node: unknown,
  path: readonly (string | number)[],
): Generator<{ path: (string | number)[]; offset: number }> {
  if (!isMap(node) && !isSeq(node)) return;
  const seen = new Set<string>();
  for (const [index, item] of node.items.entries()) {
    const name = isPair(item) && isScalar(item.key) ? String(item.key.value) : index;
    const at = [...path, name];
    if (isPair(item)) {
      // `<<` can occur several times, because several maps can be merged.
      if (seen.has(String(name)) && name !== '<<') yield { path: at, offset: startOf(item.key) ?? 0 };
      seen.add(String(name));
    }
    yield* repeatsIn(isPair(item) ? item.value : item, at);
  }
}

const startOf = (node: unknown): number | undefined => (isNode(node) && node.range ? node.range[0] : undefined);
