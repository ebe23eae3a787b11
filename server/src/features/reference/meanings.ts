import { existsSync, readFileSync } from 'node:fs';
import { projectPath } from '@orchestrate/db';
import * as shared from '@orchestrate/shared';
import { z } from 'zod';
import { valueAtPath } from './objects-within.ts';

type FieldMeanings = Readonly<Record<string, string>>;

const FILE = projectPath('shared/dist/meanings.json');

/** Contract field comments by export name and object path. Empty without a build. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, FieldMeanings>>>> = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8'))
  : {};

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

const COMMENTS = new WeakMap<z.core.$ZodType, FieldMeanings>(
  Object.entries(RECORDED).flatMap(([name, ways]) =>
    Object.entries(ways).flatMap(([path, fields]) => {
      const object = valueAtPath(Object(shared)[name], path);
      return object instanceof z.ZodObject ? [[object, fields] as const] : [];
    }),
  ),
);

/** Returns the field comments of a contract object. */
export const fieldCommentsOf = (schema: z.core.$ZodType): FieldMeanings | undefined => COMMENTS.get(schema);

/** Returns a field's description: its comment, or the default for its name. */
export const describeField = (name: string, comment: unknown): string | undefined =>
  typeof comment === 'string' ? comment : WORDS[name];

/** Adds or overrides fields of an object and keeps the comments on the remaining fields. */
export function extendObject(schema: z.ZodObject, fields: z.ZodRawShape): z.ZodObject {
  const whole = z.object({ ...fields, ...schema.shape, ...fields });
  const comments = fieldCommentsOf(schema);
  if (comments) COMMENTS.set(whole, comments);
  return whole;
}
