import { existsSync, readFileSync } from 'node:fs';
import { projectPath } from '@orchestrate/db';
import * as shared from '@orchestrate/shared';
import { z } from 'zod';
import { atWay } from './objects-within.ts';

type FieldMeanings = Readonly<Record<string, string>>;

/** Written by the build (`scripts/build-client.ts`). */
const FILE = projectPath('shared/dist/meanings.json');

/** Comments on the contract's fields, by export and by the path to an object in it. Empty without a build. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, FieldMeanings>>>> = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8'))
  : {};

/** Field names with the same meaning everywhere, for fields without a comment. */
const WORDS: FieldMeanings = {
  aid: 'The code that connects a new device.',
  appId: 'The id of an application in its organisation.',
  did: 'The typed code: eight characters.',
  exchangeToken: 'Says that a sign-in was approved; is exchanged for tokens once, within 60 seconds.',
  jws: 'What the device says, signed with its key: a compact JWS.',
  kid: 'The id of a key.',
  loginId: 'The id of a sign-in that has begun; a secret of the browser that began it.',
  orgCode: 'The code of an organisation, e.g. `acme`.',
  primaryAttr: 'The name by which the organisation knows the person, e.g. the employee id.',
  proof: 'Shows that the caller has the private key of `publicKey`: a compact JWS signed with it.',
  qid: 'The scanned code: part of the address in the QR code.',
  refreshToken: 'Is exchanged for the next access token, once (`POST /refresh`).',
  requestId: 'The id of this answer in the log of the portal.',
  roleCode: 'The code of a role, e.g. `SUPER_ADMIN`.',
  spaceId: 'The id of a space: a portal of its own.',
  suid: 'The id of a member.',
  token: 'The access token: `authorization: Bearer …`.',
  zid: 'The id of a device.',
};

const COMMENTS = new WeakMap<z.core.$ZodType, FieldMeanings>(
  Object.entries(RECORDED).flatMap(([name, ways]) =>
    Object.entries(ways).flatMap(([way, fields]) => {
      const object = atWay(Object(shared)[name], way);
      return object instanceof z.ZodObject ? [[object, fields] as const] : [];
    }),
  ),
);

/** Returns the comments on the fields of an object in the contract. */
export const commentsOn = (schema: z.core.$ZodType): FieldMeanings | undefined => COMMENTS.get(schema);

/** Returns the meaning of a field: its comment, or the meaning of its name. */
export const meaningOf = (name: string, comment: unknown): string | undefined =>
  typeof comment === 'string' ? comment : WORDS[name];

/** Extends or overrides fields of an object, keeping the comments on the others. */
export function extended(schema: z.ZodObject, fields: z.ZodRawShape): z.ZodObject {
  const whole = z.object({ ...fields, ...schema.shape, ...fields });
  const comments = commentsOn(schema);
  if (comments) COMMENTS.set(whole, comments);
  return whole;
}
