import { expect, test } from 'vitest';
import { luminanceOf, renderMessage, textColorOn } from './render-message.ts';

const brand = { orgCode: 'acme', name: 'Acme & Sons', color: '#FACC15', publicUrl: 'http://localhost:3000' };
const now = Date.parse('2026-03-02T09:30:00.000Z');
const mail = { channel: 'mail' as const, language: 'en' as const };
const codeMail = {
  ...mail,
  template: 'activation-code' as const,
  facts: { firstName: 'Zoë', type: 'mobile' as const, code: '482913', expiresAt: now + 86_400_000 },
};
const deviceMail = (deviceName: string) => ({
  ...mail,
  template: 'device-lost' as const,
  facts: { firstName: 'Zoë', deviceName, at: now },
});
const invitation = {
  ...mail,
  template: 'invitation' as const,
  facts: {
    firstName: 'Zoë',
    type: 'desktop' as const,
    link: 'http://localhost:3000/api/user/activate?token=abc&x=1',
    validFrom: now,
    expiresAt: now + 86_400_000,
  },
};

// covers: security 1.3.7
test('renders the same content in plain text and HTML', () => {
  const { subject, text, html } = renderMessage(brand, codeMail);
  expect(subject).toBe('Your activation code for Acme & Sons');
  expect(text).toBe(
    [
      'Hello Zoë,',
      'This is your activation code for the mobile authenticator app:',
      '482913',
      'Enter it in the app together with your email address and the organisation code “acme”. It can be used once, until 03 Mar 2026, 09:30 UTC.',
      'We’ll never ask you for this code. If you didn’t expect it, you can ignore this email.',
      'Acme & Sons\n',
    ].join('\n\n'),
  );
  expect(html).toContain('>482913</p>');
  expect(html).toContain('Acme &amp; Sons');
});

test('renders a link as a branded button followed by the readable URL', () => {
  const { text, html } = renderMessage(brand, invitation);
  expect(text).toContain('Activate your account:\nhttp://localhost:3000/api/user/activate?token=abc&x=1');
  expect(html).toContain('href="http://localhost:3000/api/user/activate?token=abc&amp;x=1"');
  expect(html).toMatch(/background:#FACC15;color:#000000[^>]*>Activate your account</);
});

test('sends a text message as plain text only', () => {
  const message = {
    channel: 'text' as const,
    language: 'en' as const,
    template: 'one-time-code' as const,
    facts: { firstName: 'Zoë', code: '123456', expiresAt: now },
  };
  expect(renderMessage(brand, message)).toMatchObject({
    subject: '',
    html: '',
    text: expect.stringContaining('123456'),
  });
});

// covers: security 1.1.2
test('escapes markup in a device name', () => {
  const { html } = renderMessage(brand, deviceMail('<img src=x onerror="alert(1)">'));
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
});

// covers: security 1.2.1, security 1.3.11
test("doesn't inject headers if a device name contains line breaks", () => {
  const { subject } = renderMessage(brand, deviceMail('Phone\r\nBcc: everybody@acme.test'));
  expect(subject).toBe('Device reported lost: Phone Bcc: everybody@acme.test');
});

test('falls back to the default colour if the brand colour contains markup', () => {
  const { html } = renderMessage({ ...brand, color: 'red;}</style><script>' }, invitation);
  expect(html).not.toContain('<script');
  expect(html).toContain('background:#facc15;color:#000000');
});

test('keeps the contrast of buttons at 4.5:1 or higher for every brand colour', () => {
  for (let step = 0; step <= 255; step += 5) {
    for (const colour of [
      [step, step, step],
      [step, 0, 0],
      [0, step, 255],
    ]) {
      const hex = `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
      const [light, dark] = [luminanceOf(hex), luminanceOf(textColorOn(hex))].toSorted((a, b) => b - a);
      expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  }
});
