import { expect, test } from 'vitest';
import { activationCodeMail } from './activation-code-mail.ts';
import { deviceLostMail } from './device-lost-mail.ts';
import { newDeviceMail } from './new-device-mail.ts';

const to = {
  organisation: { orgCode: 'acme', name: 'Acme & Sons', color: '#FACC15' },
  member: { firstName: 'Zoë', primaryEmail: 'zoe@acme.test' },
  now: Date.parse('2026-03-02T09:30:00.000Z'),
};

test('a mail says the same in plain text and in HTML', () => {
  const mail = activationCodeMail('id', { ...to, type: 'mobile', code: '482913', expiresAt: to.now + 86_400_000 });
  expect(mail).toMatchObject({ to: 'zoe@acme.test', channel: 'mail', code: '482913', createdAt: to.now });
  expect(mail.text).toBe(
    [
      'Hello Zoë,',
      'This is your activation code for the mobile authenticator app:',
      '482913',
      'Enter it in the app together with your e-mail address and the organisation code “acme”. It can be used once, until 03 Mar 2026, 09:30 UTC.',
      'Nobody will ever ask you for this code. If you did not expect it, you can ignore this mail.',
      'Acme & Sons\n',
    ].join('\n\n'),
  );
  expect(mail.html).toContain('>482913</p>');
  expect(mail.html).toContain('Acme &amp; Sons');
});

test('a device whose name is markup stays a name', () => {
  const mail = newDeviceMail('id', { ...to, deviceName: '<img src=x onerror="alert(1)">' });
  expect(mail.html).not.toContain('<img');
  expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
});

test('a device whose name has several lines adds no header', () => {
  const { subject } = deviceLostMail('id', { ...to, deviceName: 'Phone\r\nBcc: everybody@acme.test' });
  expect(subject).toBe('Device reported lost: Phone Bcc: everybody@acme.test');
});
