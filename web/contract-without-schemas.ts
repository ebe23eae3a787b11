import type { Plugin } from 'vite';

const SHARED_SOURCE = /\/shared\/src\/(?:.+\/)?([^/?]+\.ts)(\?schemas)?$/;
/** Modules of entries, and of the schemas and constants that entries share. */
const IN_CONTRACT = /\/shared\/src\/(?:contract|live)\//;
const DEFINERS: ReadonlySet<string> = new Set(['endpoint', 'channel']);
/** Contract entry properties that only the server reads: its schemas and its documentation. */
const SERVER_PROPERTIES: ReadonlySet<string> = new Set([
  'params',
  'query',
  'body',
  'multipart',
  'bodyBytes',
  'reply',
  'newsReply',
  'current',
  'versioned',
  'unversioned',
  'events',
  'server',
  'client',
  'summary',
  'area',
  'refuses',
  'refusalStatus',
  'refusesWith',
]);

/** The ESTree node properties used here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const nameOf = (value: unknown) => (isNode(value) && typeof value.name === 'string' ? value.name : undefined);

/** A module's top-level constant. */
interface Constant {
  name: string;
  value: Node;
  /** The `export` statement, if it exports no other constant. */
  exported: Node | undefined;
}

function topLevelConstants(program: Node): Constant[] {
  return nodesOf(program.body).flatMap((statement) => {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (declaration.type !== 'VariableDeclaration') return [];
    const exported = declaration === statement ? undefined : statement;
    return nodesOf(declaration.declarations).flatMap(({ id, init }) => {
      const name = nameOf(id);
      return name && isNode(init) ? [{ name, value: init, exported }] : [];
    });
  });
}

/** Returns true if a top-level declaration destructures its value. */
const hasPattern = (program: Node): boolean =>
  nodesOf(program.body)
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .flatMap(({ declarations }) => nodesOf(declarations))
    .some(({ id }) => isNode(id) && id.type !== 'Identifier');

const isEntry = ({ value }: Constant) => value.type === 'CallExpression' && DEFINERS.has(nameOf(value.callee) ?? '');

/** Removes properties that the browser never reads. */
function entryEdits({ value }: Constant): Edit[] {
  const [entry] = nodesOf(value.arguments);
  const properties = nodesOf(entry?.properties);
  // Up to the next property or the closing brace, so that the comma goes too.
  const unread = properties.flatMap(({ key, start, end }, index) =>
    SERVER_PROPERTIES.has(nameOf(key) ?? '')
      ? { start, end: properties[index + 1]?.start ?? (entry ? entry.end - 1 : end), text: '' }
      : [],
  );
  return [{ start: value.start, end: value.start, text: '/* @__PURE__ */ ' }, ...unread];
}

const isCreated = ({ value }: Constant) => value.type === 'CallExpression' || value.type === 'NewExpression';

/**
 * Marks the expression that creates a constant as pure, also an object that contains schemas. The bundler then drops
 * it if the constant is unused.
 */
function pureEdits(constant: Constant): Edit[] {
  const { value } = constant;
  if (!isCreated(constant) && value.type !== 'ObjectExpression') return [];
  return [
    { start: value.start, end: value.start, text: '/* @__PURE__ */ (() => (' },
    { start: value.end, end: value.end, text: '))()' },
  ];
}

/** Re-exports the constant from the second half of its module, which contains the schemas. */
function movedEdits(constant: Constant, schemasId: string): Edit[] {
  const { name, exported } = constant;
  if (!exported || !isCreated(constant)) return [];
  const local = { start: exported.start, end: exported.start + 'export'.length, text: '      ' };
  return [local, { start: exported.end, end: exported.end, text: ` export { ${name} } from '${schemasId}';` }];
}

function apply(code: string, edits: Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
}

/**
 * Removes contract entries' schemas from the client. The client only needs an entry's method, path, access, success
 * codes and types, because the server validates its own responses. With the schemas, zod would be a sixth of the
 * sign-in page. A schema that a form imports by name comes from a second half of its module (`…?schemas`), so only
 * forms load zod.
 */
export function contractWithoutSchemas(): Plugin {
  return {
    name: 'contract-without-schemas',
    enforce: 'pre',
    transform(code, id) {
      const source = SHARED_SOURCE.exec(id);
      if (!source) return null;
      const [, file, schemasHalf] = source;
      const program: unknown = this.parse(code, { lang: 'ts' });
      if (!isNode(program)) return null;
      if (IN_CONTRACT.test(id) && hasPattern(program))
        this.error(`${id} destructures a constant. The bundler can't drop it, so every page would load its schemas.`);
      const constants = topLevelConstants(program);
      const entries = constants.filter(isEntry);
      const others = constants.filter((constant) => !isEntry(constant));
      const moved = IN_CONTRACT.test(id) && !schemasHalf ? others : [];
      const edits = [
        ...entries.flatMap(entryEdits),
        ...others.flatMap(pureEdits),
        ...moved.flatMap((constant) => movedEdits(constant, `./${file}?schemas`)),
      ];
      return { code: apply(code, edits), map: null, moduleSideEffects: false };
    },
  };
}
