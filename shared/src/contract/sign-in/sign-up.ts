import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, orgCode, personName, secret, text } from '../../fields.ts';

/** The sign-up screen's form. */
export const signupForm = z.object({
  firstName: personName(),
  lastName: personName(),
  email,
  /** Mobile number in international format, e.g. `+46701234567`. Validated by the server: INVALID_MOBILE_NUMBER. */
  mobileNumber: z.string().trim().max(30, 'At most 30 characters').optional(),
});
export type SignupForm = z.output<typeof signupForm>;

export const signup = endpoint({
  method: 'POST',
  path: '/user/signup',
  area: 'Session and profile',
  summary: 'Sign up with an organisation; a one-time code is sent to the mobile number or the email address',
  access: { who: 'public' },
  body: signupForm.extend({ orgCode }),
  reply: z.object({ suid: z.string(), verificationSent: z.boolean() }),
  refuses: [
    'ORG_CODE_NOT_FOUND',
    'USER_EXISTS',
    'EMAIL_EXISTS',
    'PHONE_ALREADY_EXISTS',
    'INVALID_DOMAIN',
    'ORG_EMAIL_LIMIT_REACHED',
    'INVALID_MOBILE_NUMBER',
    'IP_NOT_VALID',
    'AUTHENTICATOR_DISALLOWED',
  ],
  refusalStatus: { EMAIL_EXISTS: 409 },
  events: ['member.signed-up'],
});

export const verifySignup = endpoint({
  method: 'POST',
  path: '/user/signup/verify',
  area: 'Session and profile',
  summary: 'Confirm a sign-up with its one-time code; an activation code follows by email',
  access: { who: 'public' },
  /** Anything other than a six-digit `otp` is refused with result code 12. */
  body: z.object({ orgCode, email, otp: secret(text(100)) }),
  reply: z.object({}),
  news: ['EMAIL_VERIFIED'],
  refuses: [
    'ORG_CODE_NOT_FOUND',
    'INVALID_OTP',
    'OTP_MISMATCH',
    'OTP_EXPIRED',
    'INVALID_EMAIL_VERIFICATION',
    'PHONE_ALREADY_EXISTS',
    'IP_NOT_VALID',
    'AUTHENTICATOR_DISALLOWED',
  ],
  events: ['member.verified', 'email.verified', 'activation-code.issued', 'activation-code.mailed'],
});
