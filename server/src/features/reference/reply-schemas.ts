import { codeOf, type EndpointDefinition, type ResultName } from '@orchestrate/shared';
import { z } from 'zod';
import { type Json, jsonSchemaOf } from './json-schema-of.ts';
import { extended } from './meanings.ts';
import { pascalCase } from './pascal-case.ts';

/** An answer that says nothing but that it is done. */
const DONE = 'Done';

/** The name of a success among the components, e.g. `MakePersonReply`. @param operation the name of the entry */
export const replyNameOf = ({ reply, news }: EndpointDefinition, operation: string): string =>
  Object.keys(reply.shape).length === 0 && !news ? DONE : `${pascalCase(operation)}Reply`;

/** A success on the wire. */
export function replySchemaOf({ reply, news = [], newsReply }: EndpointDefinition): Json {
  if (!newsReply) return jsonSchemaOf(withResult(reply, ['SUCCESS', ...news]), 'output');
  const either = [withResult(reply, ['SUCCESS']), withResult(newsReply.fields, news)] as const;
  return jsonSchemaOf(z.discriminatedUnion('resultCode', either), 'output');
}

const withResult = (fields: z.ZodObject, results: readonly ResultName[]) =>
  extended(fields, { resultCode: z.literal(results.map(codeOf)) });
