import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { readJson } from './read-json.ts';

/** What is wrong in the text of a world. */
export interface WorldMistake {
  /** Counted from 1. */
  line: number;
  /** Where it is, e.g. `organisations.0.code`; empty where the text cannot be read at all. */
  path: string;
  message: string;
}

/** A complaint about a world, at names of fields and places in lists from the outside in. */
interface Issue {
  path: readonly (string | number)[];
  message: string;
}

export interface WorldText {
  /** Undefined where there are mistakes. */
  world: unknown;
  /** Why the text is neither YAML nor JSON. */
  mistakes: WorldMistake[];
  /** Complaints with the lines of the text that they are about, in the order of these. */
  locate(issues: readonly Issue[]): WorldMistake[];
}

const SEVERAL = 'A world is one document: take out the line ---, or what follows it';

/** Reads a world in YAML or JSON; what it says is not checked. */
export function readWorldText(text: string): WorldText {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const parse = () => parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const locateIn = (found: Document, issues: readonly Issue[]) =>
    issues
      .map(({ path, message }) => ({ line: lineAt(offsetOf(found, path)), path: path.join('.'), message }))
      .toSorted((a, b) => a.line - b.line);

  // Much faster than YAML, which is then only needed for lines.
  const json = readJson(text);
  if (json !== undefined) return { world: json, mistakes: [], locate: (issues) => locateIn(parse(), issues) };

  const found = parse();
  const locate = (issues: readonly Issue[]) => locateIn(found, issues);
  // A tag that nobody knows is only a warning, and would be left out in silence.
  const problems = [...found.errors, ...found.warnings];
  if (problems.length > 0) {
    const mistakes = problems.map(({ code, pos, message }) => ({
      line: lineAt(pos[0]),
      path: '',
      message: code === 'MULTIPLE_DOCS' ? SEVERAL : message,
    }));
    return { world: undefined, mistakes, locate };
  }
  try {
    return { world: found.toJS() ?? {}, mistakes: [], locate };
  } catch (reason) {
    // A few lines of aliases can stand for more than fits into memory.
    return { world: undefined, mistakes: [{ line: 1, path: '', message: String(reason) }], locate };
  }
}

/** Where the thing at a path is written; for what is missing, where the thing is that lacks it. */
function offsetOf({ contents }: Document, path: Issue['path']): number {
  let node: unknown = contents;
  let offset = startOf(contents) ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined => (isNode(node) && node.range ? node.range[0] : undefined);
