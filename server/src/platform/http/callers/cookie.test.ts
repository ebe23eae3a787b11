import { expect, test } from 'vitest';
import { cookieHeader, readCookie } from './cookie.ts';

const behindHttps = { publicUrl: 'https://portal.example', config: { cookiePrefix: '' } };
const plain = { publicUrl: 'http://localhost:3000', config: { cookiePrefix: '' } };
const options = { seconds: 59.2, path: '/api', sameSite: 'lax' } as const;

// covers: security 3.3.4
test('sets an expiring cookie that scripts cannot read', () => {
  expect(cookieHeader(plain, 'seen', 'x', options)).toBe('seen=x; Max-Age=60; Path=/api; HttpOnly; SameSite=Lax');
});

// covers: security 3.3.1
test('uses a __Secure- name over HTTPS and reads no other name', () => {
  const header = cookieHeader(behindHttps, 'seen', 'x', options);
  expect(header).toBe('__Secure-seen=x; Max-Age=60; Path=/api; HttpOnly; Secure; SameSite=Lax');
  expect(readCookie(behindHttps, 'other=1; __Secure-seen=x', 'seen')).toBe('x');
  expect(readCookie(behindHttps, 'seen=x', 'seen')).toBe('');
});

// covers: security T11, security 3.3.3
test('uses a __Host- name for an origin-wide cookie over HTTPS and reads no other name', () => {
  const header = cookieHeader(behindHttps, 'seen', 'x', { ...options, path: '/' });
  expect(header).toBe('__Host-seen=x; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax');
  expect(readCookie(behindHttps, '__Host-seen=x', 'seen', '/')).toBe('x');
  expect(readCookie(behindHttps, '__Secure-seen=x', 'seen', '/')).toBe('');
});
