import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentsByObject, describeDefault, describeField } from '@orchestrate/server/contract-comments';
import { contract, type EndpointDefinition, worldApplication } from '@orchestrate/shared';
import type { Plugin } from 'rolldown';
import { ts } from 'ts-morph';
import { z } from 'zod';
import { MEANINGS_FILE } from '../build.ts';

/** Properties of an endpoint that a caller provides. Comments in replies would take up too much of the package. */
const INPUTS: ReadonlySet<string> = new Set(['params', 'query', 'body', 'multipart']);

/** For each schema type, the properties of its definition that its type arguments describe, in order. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ZodOptional: ['innerType'],
  ZodNullable: ['innerType'],
  ZodDefault: ['innerType'],
  ZodArray: ['element'],
  ZodPipe: ['in', 'out'],
  ZodRecord: ['keyType', 'valueType'],
};

/** Objects with fields that have the type of a field of another object, but no schema of their own. */
const MODELS = new Map<unknown, z.ZodType>([[contract.makeApplication.body, worldApplication]]);

/**
 * Copies the comments on the contract's fields to its declarations, for editors. The compiler drops them, because
 * zod derives the type of an object from a mapped type. Requires the recorded comments of a build.
 * @param root workspace path
 */
export function fieldComments(root: string): Plugin {
  const comments = commentsByObject(JSON.parse(readFileSync(join(root, MEANINGS_FILE), 'utf8')));

  /** Yields where to insert a comment into declarations. */
  function* within(type: ts.Node, value: unknown): Generator<{ at: number; comment: string }> {
    if (ts.isTypeLiteralNode(type) && !(value instanceof z.ZodType)) {
      for (const member of type.members) {
        if (!ts.isPropertySignature(member) || !member.type) continue;
        const name = nameOf(member);
        if (INPUTS.has(name)) yield* within(member.type, Object(value)[name]);
      }
      return;
    }
    if (!ts.isTypeReferenceNode(type) || !(value instanceof z.ZodType)) return;
    const [first, ...others] = type.typeArguments ?? [];
    if (!first) return;
    const kind = ts.isQualifiedName(type.typeName) ? type.typeName.right.text : type.typeName.text;
    if (value instanceof z.ZodObject && ts.isTypeLiteralNode(first)) yield* withinObject(first, value);
    else if (value instanceof z.ZodLazy) yield* within(first, value._zod.innerType);
    else if (value instanceof z.ZodUnion) yield* withinUnion(first, value.options);
    else {
      for (const [index, name] of (PARTS[kind] ?? []).entries()) {
        const part = [first, ...others][index];
        if (part) yield* within(part, Object(value.def)[name]);
      }
    }
  }

  function* withinObject(shape: ts.TypeLiteralNode, object: z.ZodObject): ReturnType<typeof within> {
    const model = objectIn(MODELS.get(object));
    for (const { member, type, field, name } of fieldsOf(shape, object)) {
      yield* commentOn(member, object, name);
      yield* within(type, field);
      for (const custom of model ? customTypesIn(type) : []) yield* withinType(custom, model?.shape[name]);
    }
  }

  /** As `within`, for a type without schemas: the type of a value. */
  function* withinType(type: ts.TypeNode, value: unknown): ReturnType<typeof within> {
    if (ts.isUnionTypeNode(type)) for (const part of type.types) yield* withinType(part, value);
    if (ts.isArrayTypeNode(type)) yield* withinType(type.elementType, value);
    const object = objectIn(value);
    if (!ts.isTypeLiteralNode(type) || !object) return;
    for (const { member, type: own, field, name } of fieldsOf(type, object)) {
      yield* commentOn(member, object, name);
      yield* withinType(own, field);
    }
  }

  function* commentOn(member: ts.Node, object: z.ZodObject, name: string): ReturnType<typeof within> {
    const comment = [describeField(name, comments.get(object)?.[name]), ...defaultIn(object.shape[name])]
      .join(' ')
      .trim();
    if (comment !== '') yield { at: member.getStart(), comment };
  }

  function* withinUnion(options: ts.Node, values: readonly unknown[]): ReturnType<typeof within> {
    const list = ts.isTypeOperatorNode(options) ? options.type : options;
    if (!ts.isTupleTypeNode(list)) return;
    for (const [index, option] of list.elements.entries()) yield* within(option, values[index]);
  }

  return {
    name: 'field-comments',
    transform: {
      filter: { id: /[\\/]shared[\\/]src[\\/]contract[\\/].*\.d\.ts$/ },
      async handler(code, id) {
        const values: Record<string, unknown> = await import(id.replace(/\.d\.ts$/, '.ts'));
        const source = ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true);
        const inserted = source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
          statement.declarationList.declarations.flatMap(({ name, type }) => {
            if (!type || !ts.isIdentifier(name)) return [];
            const { method, path, summary }: Partial<EndpointDefinition> = Object(values[name.text]);
            const fields = [...within(type, values[name.text])];
            if (!method || !summary || ts.getJSDocCommentsAndTags(statement).length > 0) return fields;
            return [{ at: statement.getStart(), comment: `${summary}: \`${method} /api${path}\`.` }, ...fields];
          }),
        );
        return inserted
          .toSorted((one, other) => other.at - one.at)
          .reduce(
            (text, { at, comment }) =>
              `${text.slice(0, at)}/** ${comment.replaceAll('*/', '*\\/')} */\n${text.slice(at)}`,
            code,
          );
      },
    },
  };
}

function fieldsOf(shape: ts.TypeLiteralNode, object: z.ZodObject) {
  return shape.members.flatMap((member) => {
    if (!ts.isPropertySignature(member) || !member.type) return [];
    const name = nameOf(member);
    return [{ member, type: member.type, name, field: object.shape[name] as unknown }];
  });
}

/** Returns the types of values in a schema's type that the schema checks with a function. */
function customTypesIn(type: ts.TypeNode): ts.TypeNode[] {
  if (!ts.isTypeReferenceNode(type)) return [];
  const { typeName, typeArguments = [] } = type;
  const kind = ts.isQualifiedName(typeName) ? typeName.right.text : typeName.text;
  return kind === 'ZodCustom' ? [...typeArguments] : typeArguments.flatMap(customTypesIn);
}

/** Returns the object in optional, nullable and lazy schemas, defaults, lists and transformations. */
function objectIn(schema: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodLazy) return objectIn(schema._zod.innerType);
  if (schema instanceof z.ZodArray) return objectIn(schema.element);
  if (schema instanceof z.ZodPipe) return objectIn(schema.in) ?? objectIn(schema.out);
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? objectIn(schema.unwrap()) : undefined;
}

const isArea = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Module]';

/** Names by area, e.g. `devices.add`. */
const NAMES = new Map(
  Object.entries(contract).flatMap(([area, endpoints]) =>
    isArea(endpoints)
      ? Object.entries(endpoints).map(([name, endpoint]): [unknown, string] => [endpoint, `${area}.${name}`])
      : [],
  ),
);

/** Marks names such as `contract.addDevice` as deprecated in the declaration of the namespace `contract`. */
export function deprecateOlderNames(declarations: string): string {
  const values: Readonly<Record<string, unknown>> = { ...contract };
  return declarations.replace(/^( {2}export \{)(.* as devices,.*)\};$/m, (_, start: string, specifiers: string) => {
    const marked = specifiers.split(',').map((specifier) => {
      const exported = specifier.trim().split(' as ').at(-1) ?? '';
      if (values[exported] === undefined || isArea(values[exported])) return specifier;
      const name = NAMES.get(values[exported]);
      const advice = name ? `Use \`contract.${name}\`` : `Import \`${exported}\` itself`;
      return `\n\t/** @deprecated ${advice}. */${specifier}`;
    });
    return `${start}${marked.join(',')}};`;
  });
}

const nameOf = ({ name }: ts.PropertySignature): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';

/** Returns a sentence about a field's default, if it has one. */
function defaultIn(field: unknown): string[] {
  if (field instanceof z.ZodDefault) return [describeDefault(field.def.defaultValue)];
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return defaultIn(field.def.innerType);
  return [];
}
