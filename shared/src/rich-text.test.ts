import { expect, test } from 'vitest';
import { LINK_MESSAGE, linkObstacle, listStart } from './rich-text.ts';

test.each(['https://acme.test/vpn?a=1#top', 'http://localhost:3000/', 'HTTPS://ACME.TEST', '  https://acme.test  '])(
  'accepts a link to %s',
  (address) => {
    expect(linkObstacle(address)).toBeUndefined();
  },
);

test.each([
  'acme.test',
  '//acme.test',
  '/faq',
  'https://',
  'https:acme.test',
  'ftp://acme.test/file',
  'file:///etc/passwd',
  'mailto:help@acme.test',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://acme.test@malicious-site.net/',
  '',
])('rejects %j as a link URL', (address) => {
  expect(linkObstacle(address)).toBe(LINK_MESSAGE);
});

test.each([
  'https://malicious-site.net',
  'http://login.example-phishing.com./acme',
  'https://MALICIOUS-SITE.net:8443/',
])('blocks %s because of the host', (address) => {
  expect(linkObstacle(address)).toMatch(/^Links to .+ are not allowed$/);
});

test('keeps only small positive numbers as the start of a list', () => {
  for (const start of ['2', '10', '999']) expect(listStart(start)).toBe(start);
  for (const start of ['1', '0', '-5', '1000', '05', '5.5', '1e2', ' 5', '5\n', '5"onclick="alert(1)', '٥', '', null]) {
    expect(listStart(start)).toBeUndefined();
  }
});
