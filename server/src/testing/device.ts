import { randomUUID } from 'node:crypto';
import { memberRepo } from '@orchestrate/db';
import { activate, DAY, login, type ResultName, SECOND } from '@orchestrate/shared';
import {
  createDeviceKey,
  type DeviceState,
  PortalRefusal,
  publicKeyOf,
  signDeviceJws,
} from '@orchestrate/shared/authenticator';
import type { TestPortal } from './test-portal.ts';

/** Claims of a JWS to replace with wrong ones. */
export interface ClaimOverrides {
  aud?: string;
  /** Seconds since 1970. */
  iat?: number;
  jti?: string;
}

/** Builds the body of a device's signed call by hand, so that any part of it can be wrong. */
export function signedBy(
  { clock }: TestPortal,
  device: DeviceState,
  command: object = {},
  overrides: ClaimOverrides = {},
): { zid: string; jws: string } {
  const claims = {
    aud: device.orgCode,
    iat: Math.floor(clock.now() / SECOND),
    jti: randomUUID(),
    ...command,
    ...overrides,
  };
  return { zid: device.zid, jws: signDeviceJws(claims, device.privateKeyJwk, device.zid) };
}

/** An answer to a request, from a separate IP address. */
export interface AnswerFrom {
  status: number;
  headers: Record<string, unknown>;
  body: { resultCode: number; [field: string]: unknown };
}

/** Sends JSON as if from `ip`, because limits per address need several. */
export async function postFrom(
  { app }: TestPortal,
  ip: string,
  path: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnswerFrom> {
  const response = await app.inject({ method: 'POST', url: `/api${path}`, remoteAddress: ip, payload, headers });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const TRIED_KEY = createDeviceKey();

/** Tries an activation code from `ip`. */
export function activateFrom(
  portal: TestPortal,
  ip: string,
  { email, activationCode, orgCode = 'acme' }: { email: string; activationCode: string; orgCode?: string },
  key = TRIED_KEY,
): Promise<AnswerFrom> {
  const iat = Math.floor(portal.clock.now() / SECOND);
  const proof = signDeviceJws({ aud: orgCode, email, iat, jti: randomUUID() }, key);
  const device = { name: 'A phone', type: 'mobile', platform: 'Android 16' };
  const body = { orgCode, email, activationCode, device, publicKey: publicKeyOf(key), proof };
  return postFrom(portal, ip, activate.path, body);
}

/** Returns the name of the refusal with which a call of the device core rejects; 'SUCCESS' if it resolves. */
export async function outcomeOfCall(call: Promise<unknown>): Promise<ResultName> {
  try {
    await call;
    return 'SUCCESS';
  } catch (reason) {
    if (reason instanceof PortalRefusal) return reason.resultName;
    throw reason;
  }
}

/** Starts a sign-in by push. */
export async function beginPush(
  portal: TestPortal,
  primaryAttr: string,
): Promise<{ loginId: string; matchNumber: string }> {
  const { loginId = '', matchNumber = '' } = (
    await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr } })
  ).body;
  return { loginId, matchNumber };
}

type Value = string | number | null;

/** Sets columns of an organisation, for switches whose screens have their own tests. Flags are 0 and 1. */
export function setOrganisation({ deps }: TestPortal, orgCode: string, fields: Record<string, Value>): void {
  setColumns(deps, 'organisations', fields, ['orgCode', orgCode]);
}

/** Sets columns of a member. */
export function setMember({ deps }: TestPortal, suid: string, fields: Record<string, Value>): void {
  setColumns(deps, 'members', fields, ['suid', suid]);
}

/** Makes a seeded person's device new: registered a moment ago, and not confirmed yet. */
export function makeNew({ deps }: TestPortal, { zid }: Pick<DeviceState, 'zid'>): void {
  setColumns(deps, 'devices', { approvesFrom: deps.clock.now() + DAY }, ['zid', zid]);
}

function setColumns(
  { db }: TestPortal['deps'],
  table: string,
  fields: Record<string, Value>,
  [key, value]: [string, string],
): void {
  const assignments = Object.keys(fields).map((name) => `"${name}" = ?`);
  db.$client.prepare(`UPDATE ${table} SET ${assignments} WHERE "${key}" = ?`).run(...Object.values(fields), value);
}

/** Finds a seeded member by email address, even a deleted one. */
export function memberByEmail({ deps: { db } }: TestPortal, orgCode: string, email: string): memberRepo.MemberRow {
  const suid = db.$client
    .prepare<[string, string], string>('SELECT suid FROM members WHERE orgCode = ? AND primaryEmail = ?')
    .pluck()
    .get(orgCode, email);
  const member = memberRepo.findMember(db, orgCode, suid ?? '');
  if (!member) throw new Error(`The seed of ${orgCode} has nobody with the address ${email}.`);
  return member;
}
