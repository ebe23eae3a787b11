/** A name that occurs more than once in a JSON object. */
export interface RepeatedName {
  /** Field names and list indexes, outermost first. */
  path: (string | number)[];
  /** Offset in the JSON string. */
  offset: number;
}

/** An object or list being read: the names read so far, and the current name or index. */
interface Open {
  names: Set<string> | undefined;
  at: string | number;
}

/**
 * Finds names that occur more than once in an object, in document order. `JSON.parse` silently uses the last
 * occurrence (RFC 8259 §4 leaves the behaviour open).
 * @param json a string that `JSON.parse` can parse
 */
export function findRepeatedNames(json: string): RepeatedName[] {
  const found: RepeatedName[] = [];
  const open: Open[] = [];
  let isName = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    const inner = open.at(-1);
    if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? { names: new Set(), at: '' } : { names: undefined, at: 0 });
      isName = sign === '{';
    } else if (sign === '}' || sign === ']') {
      open.pop();
      isName = false;
    } else if (sign === ',' && inner) {
      isName = inner.names !== undefined;
      if (typeof inner.at === 'number') inner.at += 1;
    } else if (sign === '"') {
      const end = endOfText(json, at);
      if (isName && inner?.names) {
        const name: string = JSON.parse(json.slice(at, end + 1));
        inner.at = name;
        if (inner.names.has(name)) found.push({ path: open.map((one) => one.at), offset: at });
        inner.names.add(name);
        isName = false;
      }
      at = end;
    }
  }
  return found;
}

/** Returns the end of a JSON string that starts at a quote. */
function endOfText(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}
