import { LIMITS } from '@orchestrate/shared';

/**
 * A name for somebody of whom only the address is known, until they say it themselves: `ada.berg+work@acme.test` is Ada
 * Berg, `aberg@acme.test` Aberg without a last name.
 */
export function nameOfAddress(email: string): { firstName: string; lastName: string } {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '');
  const words = local.split(/[._-]+/).filter((word) => /\p{L}/u.test(word));
  const [firstName = email, ...others] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const { personNameMaxLength: max } = LIMITS;
  return { firstName: firstName.slice(0, max), lastName: others.join(' ').slice(0, max) };
}
