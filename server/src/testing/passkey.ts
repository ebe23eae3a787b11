import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  addPasskey,
  beginPasskey,
  configureSession,
  getSessionSettings,
  login,
  type NewPasskey,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
} from '@orchestrate/shared';
import type { TestPortal } from './test-portal.ts';

/** Values that replace the correct values in a response. */
export interface AnswerOverrides {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  userHandle?: string;
  /** True if the user's PIN or fingerprint was verified. */
  isVerified?: boolean;
  /** Signature counter to report. */
  counter?: number;
  /** Backup eligibility (BE) and backup state (BS) flags. */
  backup?: { eligible: boolean; state: boolean };
  /** True if another site embedded the page in a frame. */
  crossOrigin?: boolean;
  topOrigin?: string;
}

/** A software authenticator that creates passkeys and signs with them (Web Authentication Level 3 §6). */
export interface SoftwareAuthenticator {
  create(options: PasskeyCreationOptions, overrides?: AnswerOverrides): SoftwarePasskey;
}

/** A passkey with the browser's responses when it is created and used. */
export interface SoftwarePasskey {
  registration: NewPasskey;
  use(options: PasskeyRequestOptions, overrides?: AnswerOverrides): PasskeyAssertion;
  /**
   * Returns the keys for import into another authenticator, as base64url: the private key as PKCS #8 and the public
   * key as SPKI.
   */
  keys(): { id: string; userHandle: string; privateKey: string; publicKey: string };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const WITH_CREDENTIAL = 0x40;
const ES256 = -7;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const bytes = (value: Buffer) =>
  Buffer.concat([
    value.length < 256 ? Buffer.from([0x58, value.length]) : Buffer.from([0x59, ...uint16(value.length)]),
    value,
  ]);

/** Encodes a P-256 key as COSE_Key (RFC 9053 §7.1). */
export function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  const [first, second] = [x, y].map((part) => bytes(Buffer.from(part, 'base64url')));
  return Buffer.concat([head, first ?? Buffer.alloc(0), Buffer.from([0x22]), second ?? Buffer.alloc(0)]);
}

interface Facts {
  rpId: string;
  flags: number;
  counter: number;
  credential?: Buffer;
}

function authenticatorData({ rpId, flags, counter, credential = Buffer.alloc(0) }: Facts): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags | (credential.length > 0 ? WITH_CREDENTIAL : 0));
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), head, credential]);
}

const clientData = (type: string, challenge: string, origin: string, overrides: AnswerOverrides) =>
  Buffer.from(
    JSON.stringify({
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? origin,
      crossOrigin: overrides.crossOrigin ?? false,
      topOrigin: overrides.topOrigin,
    }),
  );

const flagsOf = ({ isVerified = true, backup }: AnswerOverrides) =>
  PRESENT | (isVerified ? VERIFIED : 0) | (backup?.eligible ? BACKUP_ELIGIBLE : 0) | (backup?.state ? BACKED_UP : 0);

/** Creates an authenticator for a browser that shows a page of `origin`. */
export function softwareAuthenticator(origin: string): SoftwareAuthenticator {
  return {
    create(options, overrides = {}) {
      if (!options.pubKeyCredParams.some(({ alg }) => alg === ES256))
        throw new Error(
          `Expected ES256 (${ES256}), got: ${options.pubKeyCredParams.map(({ alg }) => alg).join(', ')}.`,
        );
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      const credential = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, coseKey(publicKey)]);
      const rpId = overrides.rpId ?? options.rp.id;
      const data = authenticatorData({ rpId, flags: flagsOf(overrides), counter: overrides.counter ?? 0, credential });
      const attestation = [
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ];
      const shared = {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key' as const,
        authenticatorAttachment: 'cross-platform' as const,
      };
      let counter = 0;
      return {
        keys: () => ({
          id: shared.id,
          userHandle: options.user.id,
          privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
          publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
        }),
        registration: {
          ...shared,
          response: {
            clientDataJSON: clientData('webauthn.create', options.challenge, origin, overrides).toString('base64url'),
            attestationObject: Buffer.concat([Buffer.from([0xa3]), ...attestation]).toString('base64url'),
            transports: ['usb'],
          },
        },
        use(request, changes = {}) {
          counter += 1;
          const about = { rpId: changes.rpId ?? request.rpId, flags: flagsOf(changes) };
          const authData = authenticatorData({ ...about, counter: changes.counter ?? counter });
          const response = clientData('webauthn.get', request.challenge, origin, changes);
          return {
            ...shared,
            response: {
              clientDataJSON: response.toString('base64url'),
              authenticatorData: authData.toString('base64url'),
              signature: sign('sha256', Buffer.concat([authData, sha256(response)]), privateKey).toString('base64url'),
              userHandle: changes.userHandle ?? options.user.id,
            },
          };
        },
      };
    },
  };
}

/** Adds a passkey to the signed-in person's devices. */
export async function registerPasskey(
  portal: TestPortal,
  token: string,
): Promise<{ passkey: SoftwarePasskey; zid: string }> {
  const started = await portal.call(beginPasskey, { body: {} }, { token });
  const { registrationId, options } = started.body;
  const passkey = softwareAuthenticator(portal.url).create(options);
  const { body } = await portal.call(
    addPasskey,
    { body: { registrationId, credential: passkey.registration } },
    { token },
  );
  if (body.resultCode !== 0) throw new Error(`Couldn't add the passkey: ${body.message}`);
  return { passkey, zid: body.zid };
}

/** Starts a passkey sign-in. */
export async function beginByPasskey(
  portal: TestPortal,
  { orgCode = 'acme', appLoginId, cookie }: { orgCode?: string; appLoginId?: string; cookie?: string } = {},
): Promise<{ loginId: string; options: PasskeyRequestOptions }> {
  const { body } = await portal.call(
    login,
    { body: { orgCode, mode: 'WEBAUTHN', appLoginId } },
    cookie === undefined ? {} : { cookie },
  );
  if (!body.loginId || !body.passkey) throw new Error(`The sign-in wasn't started: ${body.message}`);
  return { loginId: body.loginId, options: body.passkey };
}

/** Disables passkeys in the organisation's login options, as an administrator would. */
export async function disablePasskeys(portal: TestPortal): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { resultCode, ...settings } = (await portal.call(getSessionSettings, {}, { token })).body;
  const body = { ...settings, webAuthnEnabled: false };
  const saved = await portal.call(configureSession, { body }, { token });
  if (resultCode !== 0 || saved.body.resultCode !== 0) throw new Error("The login options weren't saved");
}
