import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

export interface WorldMistake {
  line: number;
  /** Where it is, e.g. `organisations.0.code`; empty where the text cannot be read at all. */
  path: string;
  message: string;
}

/** A world in YAML or JSON; `locate` gives what the portal says about it the lines of this text. */
export function readWorldText(text: string): {
  world: unknown;
  mistakes: WorldMistake[];
  locate: (issues: readonly { path: string; message: string }[]) => WorldMistake[];
} {
  const lines = new LineCounter();
  const found = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const mistakes = found.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), path: '', message }));
  return {
    world: mistakes.length > 0 ? undefined : (found.toJS() ?? {}),
    mistakes,
    locate: (issues) =>
      issues
        .map(({ path, message }) => {
          const own = path.replace(/^seed\.?/, '');
          return { line: lineAt(offsetOf(found, own.split('.'))), path: own, message };
        })
        .toSorted((a, b) => a.line - b.line),
  };
}

/** Where the thing at a path is written; for what is missing, where the thing is that lacks it. */
function offsetOf({ contents }: Document, path: readonly string[]): number {
  let node: unknown = contents;
  let offset = startOf(contents);
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!pair) return offset;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (node === undefined) return offset;
      offset = startOf(node);
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) && node.range ? node.range[0] : 0);
