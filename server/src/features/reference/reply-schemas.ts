import { codeOf, type EndpointDefinition } from '@orchestrate/shared';
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
export function replySchemaOf({ reply, news = [] }: EndpointDefinition): Json {
  const resultCode = z.literal([codeOf('SUCCESS'), ...news.map(codeOf)]);
  return jsonSchemaOf(extended(reply, { resultCode }), 'output');
}
