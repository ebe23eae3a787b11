import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault, SealBroken } from './vault.ts';

const key = Buffer.alloc(32, 7);
const vault = createVault(key);

test.each(['', '349104', 'Łukasz 🔑', 'x'.repeat(100_000)])('unseals sealed text (case %#)', (text) => {
  const sealed = vault.seal('here', text);
  expect(vault.open('here', sealed)).toBe(text);
  expect(createVault(key).open('here', sealed)).toBe(text);
  if (text !== '') expect(sealed).not.toContain(text);
});

test('unseals sealed text only in its own location', () => {
  const sealed = vault.seal('client_secrets.secret a', 'secret');
  expect(() => vault.open('client_secrets.secret b', sealed)).toThrow(SealBroken);
});

// covers: security 11.3.1–11.3.3, security 13.3.1, security 14.2.4
test('refuses to unseal text with any byte changed', () => {
  const sealed = vault.seal('here', 'secret');
  // Skip the last character, because changing only its unused bits would go unnoticed.
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const changed: typeof sealed = JSON.parse(JSON.stringify(`${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`));
    expect(() => vault.open('here', changed), `changed at ${at}`).toThrow(SealBroken);
  }
  const cut: typeof sealed = JSON.parse(JSON.stringify(sealed.slice(0, 30)));
  expect(() => vault.open('here', cut)).toThrow(SealBroken);
});

test('refuses to unseal with another key and does not reveal the text', () => {
  const other = createVault(randomBytes(32));
  const sealed = vault.seal('here', 'the secret');
  expect(() => other.open('here', sealed)).toThrow(/^here was not sealed with key /);
  expect(other.keyId).not.toBe(vault.keyId);
});

test('seals equal texts identically in the same location and differently in another', () => {
  expect(vault.seal('here', 'secret')).toBe(vault.seal('here', 'secret'));
  expect(vault.seal('here', 'secret')).not.toBe(vault.seal('here', 'Secret'));
  expect(vault.seal('here', 'secret').slice(12)).not.toBe(vault.seal('there', 'secret').slice(12));
});

test('seals differently if only the boundary between location and text moves', () => {
  expect(() => vault.open('a', vault.seal('a\nb', 'c'))).toThrow(SealBroken);
  expect(vault.seal('a', 'b\nc')).not.toBe(vault.seal('a\nb', 'c'));
});
