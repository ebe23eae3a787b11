import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

declare const sealed: unique symbol;

/** A text that only this installation's vault opens: `s1.{name of the key}.{nonce, tag and ciphertext, base64url}`. */
export type Sealed = string & { readonly [sealed]: true };

/**
 * Seals secrets that have to be read again (decision 080): AES-256-GCM, with the location of a text as its additional
 * data.
 */
export interface Vault {
  /** Identifies the key without revealing anything about it. */
  readonly keyId: string;
  /**
   * Seals a text. Equal texts in one location have equal seals, so that they can be compared without being opened;
   * otherwise a sealed text reveals only its length.
   * @param location the only location where it opens, e.g. `client_secrets.secret {id}`
   */
  seal(location: string, text: string): Sealed;
  /** Returns 32 bytes for a name: always the same in this installation, and unpredictable without its key. */
  draw(name: string): Buffer;
  /**
   * Unseals a text.
   * @throws SealBroken if it was changed, moved from another location, or sealed with another key
   */
  open(location: string, text: Sealed): string;
}

/** A sealed text that does not open. The message contains the location, never the text. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

const FORMAT = 's1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a vault.
 * @param key 32 bytes, from which a key for each use is derived (RFC 5869)
 */
export function createVault(key: Buffer): Vault {
  const derived = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `orchestrate vault ${use}`, bytes));
  const secretKey = (use: string): KeyObject => createSecretKey(derived(use, 32));
  const [sealing, choosing, drawing] = [secretKey('seal'), secretKey('nonce'), secretKey('draw')];
  const keyId = derived('key id', 6).toString('base64url');
  const prefix = `${FORMAT}.${keyId}.`;

  return {
    keyId,

    seal(location, text) {
      // A nonce derived from location and text, as in RFC 5297: it repeats only if both do.
      const nonce = createHmac('sha256', choosing).update(`${location}\n${text}`).digest().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(location));
      const bytes = cipher.update(text, 'utf8');
      cipher.final();
      return asSealed(`${prefix}${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')}`);
    },

    draw: (name) => createHmac('sha256', drawing).update(name).digest(),

    open(location, text) {
      if (!text.startsWith(prefix)) throw new SealBroken(`${location} was not sealed with the key ${keyId}.`);
      const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', sealing, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(location)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
        return opened + decipher.final('utf8');
      } catch (cause) {
        throw new SealBroken(`${location} was changed, or sealed for another location.`, { cause });
      }
    },
  };
}

const asSealed = (text: string) => text as Sealed;

/** Returns the name of the key in a sealed text. */
export const keyIdOf = (text: string): string => text.split('.')[1] ?? '';
