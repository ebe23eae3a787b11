import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

declare const sealed: unique symbol;

/** A string that only this installation's vault can unseal: `s1.{key name}.{nonce, tag and ciphertext, base64url}`. */
export type Sealed = string & { readonly [sealed]: true };

/**
 * Seals secrets that must be readable again (decision 080), using AES-256-GCM with the storage location as additional
 * data.
 */
export interface Vault {
  /** Identifies the key without revealing anything about it. */
  readonly keyId: string;
  /**
   * Seals a string. Equal strings in the same location have equal seals, so they can be compared without unsealing.
   * Apart from equality, a seal reveals only the string's length.
   * @param location the only location where the string can be unsealed, e.g. `client_secrets.secret {id}`
   */
  seal(location: string, text: string): Sealed;
  /**
   * Returns 32 bytes derived from a name. They never change within an installation and can't be predicted without its
   * key.
   */
  draw(name: string): Buffer;
  /**
   * Unseals a string.
   * @throws SealBroken if the string was changed, moved from another location, or sealed with another key
   */
  open(location: string, text: Sealed): string;
}

/** Thrown when a string can't be unsealed. The message contains the location but never the secret. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

const FORMAT = 's1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a vault.
 * @param key 32 bytes from which a separate key is derived for each purpose (RFC 5869)
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
      // Derives the nonce from the location and the text, as in RFC 5297. The nonce repeats only if both are the
      // same.
      const nonce = createHmac('sha256', choosing).update(`${location}\n${text}`).digest().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(location));
      const bytes = cipher.update(text, 'utf8');
      cipher.final();
      return asSealed(`${prefix}${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')}`);
    },

    draw: (name) => createHmac('sha256', drawing).update(name).digest(),

    open(location, text) {
      if (!text.startsWith(prefix)) throw new SealBroken(`${location} was not sealed with key ${keyId}.`);
      const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', sealing, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(location)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
        return opened + decipher.final('utf8');
      } catch (cause) {
        throw new SealBroken(`${location} was changed or was sealed for another location.`, { cause });
      }
    },
  };
}

const asSealed = (text: string) => text as Sealed;

/** Returns the ID of the key that sealed a string. */
export const keyIdOf = (text: string): string => text.split('.')[1] ?? '';
