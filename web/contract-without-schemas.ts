import type { Plugin } from 'vite';

const SHARED_SOURCE = /\/shared\/src\/[^?]+\.ts$/;
const DEFINERS: ReadonlySet<string> = new Set(['endpoint', 'channel']);
const SCHEMA_PROPERTIES: ReadonlySet<string> = new Set(['params', 'query', 'body', 'reply', 'server', 'client']);

/** As much of an ESTree node as is read here. */
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

/** The initial values of the constants that a module declares at its top level. */
function topLevelValues(program: Node): Node[] {
  return nodesOf(program.body)
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .filter((statement) => statement.type === 'VariableDeclaration')
    .flatMap((statement) => nodesOf(statement.declarations))
    .map((declarator) => declarator.init)
    .filter(isNode);
}

function editsFor(value: Node): Edit[] {
  if (value.type !== 'CallExpression') return [];
  if (!DEFINERS.has(nameOf(value.callee) ?? '')) {
    return [
      { start: value.start, end: value.start, text: '/* @__PURE__ */ (() => ' },
      { start: value.end, end: value.end, text: ')()' },
    ];
  }
  const schemas = nodesOf(nodesOf(value.arguments)[0]?.properties)
    .filter((property) => SCHEMA_PROPERTIES.has(nameOf(property.key) ?? ''))
    .map((property) => property.value)
    .filter(isNode)
    .map(({ start, end }) => ({ start, end, text: 'undefined' }));
  return [{ start: value.start, end: value.start, text: '/* @__PURE__ */ ' }, ...schemas];
}

/**
 * Leaves the schemas of the contract's entries out of the client. The browser needs an entry's method, path, access
 * and news, and its types; that the server's answer has the declared form is the server's promise, checked there. With
 * the schemas, zod would be a sixth of the sign-in page. A form's schema is a constant of its own, imported by name.
 */
export function contractWithoutSchemas(): Plugin {
  return {
    name: 'contract-without-schemas',
    enforce: 'pre',
    transform(code, id) {
      if (!SHARED_SOURCE.test(id)) return null;
      const program: unknown = this.parse(code, { lang: 'ts' });
      if (!isNode(program)) return null;
      const edits = topLevelValues(program).flatMap(editsFor);
      const next = edits
        .toSorted((a, b) => b.start - a.start)
        .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
      return { code: next, map: null, moduleSideEffects: false };
    },
  };
}
