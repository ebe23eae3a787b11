import { existsSync, readFileSync } from 'node:fs';
import { projectPath } from '@orchestrate/db';
import * as shared from '@orchestrate/shared';
import { z } from 'zod';
import { objectAt } from './objects-within.ts';

type FieldMeanings = Readonly<Record<string, string>>;

/** Written by the build (`scripts/build-client.ts`). */
const FILE = projectPath('shared/dist/meanings.json');

/** Comments on the contract's fields, by export and by the path to an object in it. Empty without a build. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, FieldMeanings>>>> = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8'))
  : {};

/** Field names with the same meaning everywhere, for fields without a comment. */
const WORDS: FieldMeanings = {
  aid: 'Code that connects a new device.',
  appId: 'Id of an application in its organisation.',
  did: 'Code for typing: eight characters.',
  exchangeToken: 'Token of an approved sign-in; can be exchanged for tokens once, within 60 seconds.',
  jws: 'Command of the device, signed with its key: a compact JWS.',
  kid: 'Id of a key.',
  loginId: 'Id of a started sign-in; a secret of the browser that started it.',
  orgCode: 'Code of an organisation, e.g. `acme`.',
  primaryAttr: 'Identifier of the person in the organisation, e.g. the employee id.',
  proof: 'Proof that the caller has the private key of `publicKey`: a compact JWS signed with it.',
  qid: 'Code for scanning: part of the URL in the QR code.',
  refreshToken: 'Token that can be exchanged for the next access token once (`POST /refresh`).',
  requestId: 'Id of this response in the log of the portal.',
  roleCode: 'Code of a role, e.g. `SUPER_ADMIN`.',
  spaceId: 'Id of a space: a separate portal.',
  suid: 'Id of a member.',
  token: 'Access token: `authorization: Bearer …`.',
  zid: 'Id of a device.',
};

const COMMENTS = new WeakMap<z.core.$ZodType, FieldMeanings>(
  Object.entries(RECORDED).flatMap(([name, ways]) =>
    Object.entries(ways).flatMap(([way, fields]) => {
      const object = objectAt(Object(shared)[name], way);
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
export function extendObject(schema: z.ZodObject, fields: z.ZodRawShape): z.ZodObject {
  const whole = z.object({ ...fields, ...schema.shape, ...fields });
  const comments = commentsOn(schema);
  if (comments) COMMENTS.set(whole, comments);
  return whole;
}
