import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_NAMES } from '@orchestrate/server/config';
import { jsonSchemaOf, pascalCase } from '@orchestrate/server/json-schema';
import { contract, type EndpointDefinition } from '@orchestrate/shared';

/** Path of the Python module, which is part of the package. */
export const PYTHON_MODULE = 'scripts/pack/files/python/orchestrate.py';

/** A method of the Python module. */
interface Method {
  entry: EndpointDefinition;
  /** Return type in Python. Default: `Reply`. */
  type?: string;
  /** Python expression for the result, which can use `reply`. Default: `reply`, or no result if the type is `None`. */
  result?: string;
  /** Endpoint that a call without arguments uses instead. */
  read?: EndpointDefinition;
}

const NOTHING = { type: 'None' };
/** Returns one field of the reply. */
const field = (name: string, type = 'Reply') => ({ type, result: `reply["${name}"]` });
const list = (name: string) => field(name, 'list[Reply]');

/** Methods by their names in `orchestrate/testing`. Excludes `call` and `close`, which are written by hand. */
const METHODS: Readonly<Record<string, Method>> = {
  person: { entry: contract.makePerson },
  application: { entry: contract.makeApplication },
  people: { entry: contract.readPeople },
  devices: { entry: contract.virtualDevices, ...list('devices') },
  session: { entry: contract.makeSession },
  policy: { entry: contract.setPolicy, ...NOTHING },
  policies: { entry: contract.readPolicies },
  clearPolicies: { entry: contract.clearPolicies, ...NOTHING },
  requests: { entry: contract.readRequests, ...list('requests') },
  approve: { entry: contract.approveRequest, ...field('result') },
  deny: { entry: contract.denyRequest, ...field('result') },
  fault: { entry: contract.addFault, ...NOTHING },
  faults: { entry: contract.readFaults },
  clearFaults: { entry: contract.clearFaults, ...NOTHING },
  magic: { entry: contract.readMagic, ...list('values') },
  socketFault: { entry: contract.addSocketFault, ...NOTHING },
  socketFaults: { entry: contract.readSocketFaults },
  clearSocketFaults: { entry: contract.clearSocketFaults, ...NOTHING },
  unused: { entry: contract.readUnused },
  clock: { entry: contract.setClock, read: contract.readClock },
  outbox: { entry: contract.readOutbox, type: 'list[Reply]', result: '_complete(reply, "messages", after)' },
  emptyOutbox: { entry: contract.emptyOutbox, ...NOTHING },
  outboxFault: { entry: contract.addOutboxFault, ...NOTHING },
  outboxFaults: { entry: contract.readOutboxFaults },
  clearOutboxFaults: { entry: contract.clearOutboxFaults, ...NOTHING },
  webhookFault: { entry: contract.addWebhookFault, ...NOTHING },
  webhookFaults: { entry: contract.readWebhookFaults },
  clearWebhookFaults: { entry: contract.clearWebhookFaults, ...NOTHING },
  forge: { entry: contract.forgeDelivery, ...field('delivery') },
  settled: { entry: contract.awaitSettled },
  journal: { entry: contract.readJournal, type: 'list[Reply]', result: '_complete(reply, "entries", after)' },
  emptyJournal: { entry: contract.emptyJournal, ...NOTHING },
  verify: { entry: contract.verifyJournal, type: 'None', result: 'self._verified(reply)' },
  waitFor: { entry: contract.awaitEntry, result: 'self._found(reply)' },
  tokens: { entry: contract.issueTokens },
  inspect: { entry: contract.inspectToken },
  provision: { entry: contract.replayProvisioning },
  snapshot: { entry: contract.takeSnapshot, type: 'Snapshot', result: 'Snapshot(self, reply["snapshotId"])' },
  snapshots: { entry: contract.listSnapshots, ...list('snapshots') },
  space: { entry: contract.makeSpace, type: 'Portal', result: 'self._started(reply)' },
  spaces: { entry: contract.listSpaces, ...list('spaces') },
  world: { entry: contract.readWorld, ...field('world') },
  worldFile: { entry: contract.readWorldFile, type: 'str' },
  worldSchema: { entry: contract.readWorldSchema, type: 'str' },
  reset: { entry: contract.resetLab, ...NOTHING },
};

const BEGIN = '# Generated from the contract by `pnpm generate`. Do not edit.\n';
const END = '# End of the generated part.\n';
const WIDTH = 120;
/** Longest list of values in a type. Longer ones are in the reference at `/docs`. */
const VALUES_MAX = 15;
const KEYWORDS = new Set(['as', 'from', 'class', 'def', 'in', 'is', 'not', 'with', 'global', 'pass', 'import']);

const snake = (name: string): string => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argument = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : snake(name));

/** Returns the module with its generated part replaced: settings, types of nested fields, and methods. */
export function withGeneratedPart(module: string): string {
  const [before, rest] = module.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PYTHON_MODULE} has no generated part.`);
  return before + BEGIN + generatedPart() + END + after;
}

function generatedPart(): string {
  const types = createTypes();
  const methods = Object.entries(METHODS).map(([name, method]) => methodOf(name, method, types));
  const names = (given: Iterable<string>) =>
    wrap(
      [...given]
        .toSorted()
        .map((name) => `"${name}",`)
        .join(' '),
      '    ',
    ).join('\n');
  return [
    `#: Settings of a portal, which \`start\` takes only from its argument.\n_SETTINGS = (\n${names(SETTING_NAMES)}\n)\n`,
    `#: Fields that are sent unchanged, because their names are not the portal's.\n_DOCUMENTS = {\n${names(types.documents)}\n}\n`,
    '',
    ...types.classes.values(),
    `class _Lab(_Caller):\n    """Methods of the lab. Each sends one request."""\n\n${methods.join('\n')}`,
    '',
  ].join('\n');
}

interface Types {
  /** Source of the `TypedDict` classes by name. */
  classes: Map<string, string>;
  /** Names of fields whose content must keep its keys. */
  documents: Set<string>;
}
const createTypes = (): Types => ({ classes: new Map(), documents: new Set() });

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The part of JSON Schema that the contract uses. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}

/** Reads the fields of a body or query. Of a union, reads the first variant. */
function fieldsOf(schema: Schema, owner: string, types: Types, defs = schema.$defs ?? {}): Field[] {
  const whole = resolve(schema, defs);
  const one = whole.anyOf?.[0] ? resolve(whole.anyOf[0], defs) : whole;
  return Object.entries(one.properties ?? {}).map(([name, part]) => ({
    name,
    type: typeOf(part, `${owner}${pascalCase(name)}`, name, types, defs),
    isRequired: one.required?.includes(name) ?? false,
    description: inPython(part.description ?? ''),
  }));
}

function resolve(schema: Schema, defs: Record<string, Schema>): Schema {
  const found = schema.$ref === undefined ? schema : defs[schema.$ref.replace('#/$defs/', '')];
  if (!found) throw new Error(`The schema does not contain ${schema.$ref}.`);
  return found.$ref === undefined ? found : resolve(found, defs);
}

/** Returns the Python type of a schema. @param path name of a class for it @param name name of the field */
function typeOf(given: Schema, path: string, name: string, types: Types, defs: Record<string, Schema>): string {
  const named = given.$ref?.replace('#/$defs/', '').replace(/Input$/, '');
  const schema = resolve(given, defs);
  const title = named?.startsWith('__') === false ? named : path;
  if (schema.enum) return literal(schema.enum);
  if (schema.anyOf) {
    if (schema.anyOf.some((one) => one.type === 'null')) return document(name, types, 'Any');
    return [...new Set(schema.anyOf.map((one) => typeOf(one, path, name, types, defs)))].join(' | ');
  }
  if (schema.type === 'array' && schema.items) return `Sequence[${typeOf(schema.items, path, name, types, defs)}]`;
  if (schema.type !== 'object')
    return (
      { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[schema.type ?? ''] ??
      document(name, types, 'Any')
    );
  if (!schema.properties) return document(name, types, 'Mapping[str, Any]');
  addClass(title, fieldsOf(schema, title, types, defs), types);
  return title;
}

function document(name: string, { documents }: Types, type: string): string {
  documents.add(name);
  return type;
}

const literal = (values: unknown[]): string => {
  if (values.length > VALUES_MAX) return 'str';
  const written = values.map((value) =>
    typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value),
  );
  return `Literal[${written.join(', ')}]`;
};

function addClass(title: string, fields: Field[], { classes }: Types): void {
  const lines = fields.flatMap(({ name, type, isRequired, description }) => {
    const text = [isRequired ? 'Required.' : '', description].filter(Boolean).join(' ');
    return [`    ${snake(name)}: ${type}`, ...(text ? docstring([text], '    ') : [])];
  });
  const source = [`class ${title}(TypedDict, total=False):`, ...lines, '', ''].join('\n');
  const present = classes.get(title);
  if (present !== undefined && present !== source) throw new Error(`Two types have the name ${title}.`);
  classes.set(title, source);
}

function methodOf(name: string, { entry, type = 'Reply', result, read }: Method, types: Types): string {
  const schema = entry.body ?? entry.query;
  const fields = schema ? fieldsOf(jsonSchemaOf(schema, 'input') as Schema, pascalCase(name), types) : [];
  const params = [...entry.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  const sorted = fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const signature = [
    'self',
    ...params.map((param) => `${argument(param)}: str`),
    ...(sorted.length > 0 ? ['*'] : []),
    ...sorted.map((one) => `${argument(one.name)}: ${one.isRequired ? one.type : `${one.type} | None = None`}`),
  ];
  const path = entry.path.replace('/lab', '');
  const written = params.reduce((text, param) => text.replace(`:${param}`, `{_segment(${argument(param)})}`), path);
  const at = params.length > 0 ? `f"${written}"` : `"${written}"`;
  const passed = sorted.map((one) => `"${one.name}": ${argument(one.name)}`).join(', ');
  const sent = schema ? `, ${entry.body ? 'body' : 'query'}={${passed}}` : '';
  const request = entry.document ? `self._document(${at})` : `self._lab("${entry.method}", ${at}${sent})`;
  const documented = sorted
    .filter((one) => one.description !== '')
    .map((one) => `${argument(one.name)}: ${one.description}`);
  const summary = `${inPython(entry.summary)} (\`${entry.method} /api${entry.path.replaceAll(/:(\w+)/g, '{$1}')}\`).`;
  const ending =
    result === undefined
      ? [type === 'None' ? `        ${request}` : `        return ${request}`]
      : [`        reply = ${request}`, `        ${type === 'None' ? '' : 'return '}${result}`];
  const reading = read
    ? [
        `        if ${sorted.map((one) => `${argument(one.name)} is None`).join(' and ')}:`,
        `            return self._lab("GET", "${read.path.replace('/lab', '')}")`,
      ]
    : [];
  return [
    ...defOf(snake(name), signature, type),
    ...docstring([summary, ...documented], '        '),
    ...reading,
    ...ending,
    '',
  ].join('\n');
}

function defOf(name: string, signature: string[], type: string): string[] {
  const line = `    def ${name}(${signature.join(', ')}) -> ${type}:`;
  if (line.length <= WIDTH) return [line];
  return [`    def ${name}(`, ...signature.map((part) => `        ${part},`), `    ) -> ${type}:`];
}

/** Returns a docstring. The first text is the summary, and the others describe one field each. */
function docstring([summary = '', ...fields]: string[], indent: string): string[] {
  const one = `${indent}"""${summary}"""`;
  if (fields.length === 0 && one.length <= WIDTH) return [one];
  const [first = '', ...more] = wrap(`"""${summary}`, indent);
  const others = fields.flatMap((text) => wrap(text, indent, '    '));
  return [first, ...more, ...(others.length > 0 ? ['', ...others] : []), `${indent}"""`];
}

/** Breaks a text into lines. @param hanging additional indentation of all lines but the first */
function wrap(text: string, indent: string, hanging = ''): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}${lines.length === 0 ? '' : hanging}${word}`);
  }
  return lines;
}

/** Writes names and values as in Python, and drops the second of two equal defaults. */
const inPython = (text: string): string =>
  text
    .replace(/(Default: [^.]+\.)(?: Default: [^.]+\.)$/, '$1')
    .replaceAll(/\{ (\w+): '([^']*)' \}/g, '{"$1": "$2"}')
    .replaceAll(/`(true|false)`/g, (_, value: string) => `\`${value === 'true' ? 'True' : 'False'}\``)
    .replaceAll(/(?<![:\w/.])[a-z]+(?:[A-Z][a-z]+)+\b/g, snake)
    .replaceAll('\\', '\\\\');

/** Each method's name in `orchestrate/testing` and in Python. */
export const PYTHON_METHODS = Object.keys(METHODS).map((name) => [name, snake(name)] as const);

if (import.meta.main) {
  const file = join(import.meta.dirname, '../..', PYTHON_MODULE);
  writeFileSync(file, withGeneratedPart(readFileSync(file, 'utf8')));
}
