import { existsSync, readFileSync } from 'node:fs';
import { projectPath } from '@orchestrate/db';
import * as shared from '@orchestrate/shared';
import { z } from 'zod';
import { valueAtPath } from './objects-within.ts';

export type Json = Record<string, unknown>;
type FieldMeanings = Readonly<Record<string, string>>;
/** Comments by export, path to an object within the export, and field. */
export type RecordedComments = Readonly<Record<string, Readonly<Record<string, FieldMeanings>>>>;

const FILE = projectPath('shared/dist/meanings.json');

/** Comments that the build recorded. Empty if there was no build. */
const RECORDED: RecordedComments = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};

/** Default descriptions for field names that mean the same everywhere. */
const WORDS: FieldMeanings = {
  aid: 'Code that links a new device.',
  appId: 'ID of an application in its organisation.',
  did: 'Eight-character code for manual entry.',
  exchangeToken: 'Token of an approved sign-in. Can be exchanged for tokens once, within 60 seconds.',
  jws: "Device command as a compact JWS, signed with the device's key.",
  kid: 'ID of a key.',
  loginId: 'ID of a pending sign-in. Only the browser that started the sign-in knows it.',
  orgCode: 'Code of an organisation, e.g. `acme`.',
  primaryAttr: "Member's identifier in the organisation, e.g. the employee ID.",
  proof: 'Proof of possession of the private key for `publicKey`: a compact JWS signed with that key.',
  qid: "Code in the QR code's URL.",
  refreshToken: 'Token that can be exchanged once for the next access token (`POST /refresh`).',
  requestId: "ID of this response in the portal's log.",
  roleCode: 'Code of a role, e.g. `SUPER_ADMIN`.',
  spaceId: 'ID of a space, which is an isolated portal.',
  suid: 'ID of a member.',
  token: 'Access token, sent as `authorization: Bearer …`.',
  zid: 'ID of a device.',
};

type Comments = WeakMap<z.core.$ZodType, FieldMeanings>;

/** Finds the contract objects that recorded comments belong to. */
export function commentsByObject(recorded: RecordedComments): Comments {
  const found = Object.entries(recorded).flatMap(([name, ways]) =>
    Object.entries(ways).flatMap(([way, fields]) => {
      const object = valueAtPath(Object(shared)[name], way);
      return object instanceof z.ZodObject ? [[object, fields] as const] : [];
    }),
  );
  return new WeakMap(found);
}

const COMMENTS = commentsByObject(RECORDED);

/** Returns a field's description: its comment, or the default for its name. */
export const describeField = (name: string, comment: unknown): string | undefined =>
  typeof comment === 'string' ? comment : WORDS[name];

/** Describes the default of a field in a request. */
export function describeDefault(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return 'Default: none.';
  return `Default: ${JSON.stringify(value)}.`;
}

/** Temporary key that carries a schema's field comments until `withDescriptions` replaces them. */
const MARK = 'x-comments';

/** Attaches the comments of an object's fields to its JSON Schema. An `override` of `z.toJSONSchema` can call it. */
export function attachComments(schema: z.core.$ZodType, json: Json): void {
  const comments = COMMENTS.get(schema);
  if (comments) json[MARK] = comments;
}

/** Replaces attached comments with a description of each field, everywhere in a JSON Schema. */
export function withDescriptions({ [MARK]: comments, ...schema }: Json): Json {
  const parts = Object.entries(schema).map(([key, part]) => [key, eachWithDescriptions(part)] as const);
  const whole: Json = Object.fromEntries(parts);
  if (!isJsonObject(whole.properties)) return whole;
  const fields = Object.entries(whole.properties).map(([name, field]) => [
    name,
    withDescription(name, field, comments),
  ]);
  return { ...whole, properties: Object.fromEntries(fields) };
}

function eachWithDescriptions(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(eachWithDescriptions);
  return isJsonObject(part) ? withDescriptions(part) : part;
}

function withDescription(name: string, field: unknown, comments: unknown): unknown {
  const meaning = describeField(name, isJsonObject(comments) ? comments[name] : undefined);
  if (!isJsonObject(field) || meaning === undefined) return field;
  return { ...field, description: [meaning, field.description].filter((text) => text !== undefined).join(' ') };
}

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds or overrides fields of an object and keeps the comments on the remaining fields. */
export function extendObject(schema: z.ZodObject, fields: z.ZodRawShape): z.ZodObject {
  const whole = z.object({ ...fields, ...schema.shape, ...fields });
  const comments = COMMENTS.get(schema);
  if (comments) COMMENTS.set(whole, comments);
  return whole;
}
