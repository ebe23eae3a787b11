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

/** JWS claims to replace with invalid values. */
export interface ClaimOverrides {
  aud?: string;
  /** Seconds since the epoch. */
  iat?: number;
  jti?: string;
}

/** Builds the body of a device's signed request by hand, which lets tests make any of its claims invalid. */
export function signedCallBody(
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

/** The portal's response to a request sent by `postFrom`. */
export interface PostResponse {
  status: number;
  headers: Record<string, unknown>;
  body: { resultCode: number; [field: string]: unknown };
}

/** Sends JSON from the IP address `ip`, because tests of per-address limits need several addresses. */
export async function postFrom(
  { app }: TestPortal,
  ip: string,
  path: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<PostResponse> {
  const response = await app.inject({ method: 'POST', url: `/api${path}`, remoteAddress: ip, payload, headers });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const TRIED_KEY = createDeviceKey();

/** Tries an activation code from IP address `ip`. */
export function activateFrom(
  portal: TestPortal,
  ip: string,
  { email, activationCode, orgCode = 'acme' }: { email: string; activationCode: string; orgCode?: string },
  key = TRIED_KEY,
): Promise<PostResponse> {
  const iat = Math.floor(portal.clock.now() / SECOND);
  const proof = signDeviceJws({ aud: orgCode, email, iat, jti: randomUUID() }, key);
  const device = { name: 'A phone', type: 'mobile', platform: 'Android 16' };
  const body = { orgCode, email, activationCode, device, publicKey: publicKeyOf(key), proof };
  return postFrom(portal, ip, activate.path, body);
}

/** Returns the result name if a device core call is refused, or 'SUCCESS' if it resolves. */
export async function outcomeOfCall(call: Promise<unknown>): Promise<ResultName> {
  try {
    await call;
    return 'SUCCESS';
  } catch (reason) {
    if (reason instanceof PortalRefusal) return reason.resultName;
    throw reason;
  }
}

/** Starts a push sign-in. */
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

/** Sets organisation columns, for settings whose screens have their own tests. Flags are 0 and 1. */
export function setOrganisation({ deps }: TestPortal, orgCode: string, fields: Record<string, Value>): void {
  setColumns(deps, 'organisations', fields, ['orgCode', orgCode]);
}

/** Sets member columns. */
export function setMember({ deps }: TestPortal, suid: string, fields: Record<string, Value>): void {
  setColumns(deps, 'members', fields, ['suid', suid]);
}

/** Makes a seeded person's device look new: registered a moment ago and not yet confirmed. */
export function makeDeviceNew({ deps }: TestPortal, { zid }: Pick<DeviceState, 'zid'>): void {
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

/** Finds a seeded member by email address, including deleted members. */
export function memberByEmail({ deps: { db } }: TestPortal, orgCode: string, email: string): memberRepo.MemberRow {
  const suid = db.$client
    .prepare<[string, string], string>('SELECT suid FROM members WHERE orgCode = ? AND primaryEmail = ?')
    .pluck()
    .get(orgCode, email);
  const member = memberRepo.findMember(db, orgCode, suid ?? '');
  if (!member) throw new Error(`The seed of ${orgCode} has no member with the address ${email}.`);
  return member;
}
