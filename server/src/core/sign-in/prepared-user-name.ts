import { composed } from '@orchestrate/shared';

/** Fullwidth and halfwidth forms of letters and digits. */
const WIDTHS = /[\u3000\uff01-\uffee]/g;

/**
 * A user name as it is kept and compared: composed (NFC), and letters in their usual width (RFC 8265 §3.4.1, RFC 7644
 * §5). Its case is left as it is, because directories get back what they have sent.
 */
export const preparedUserName = (userName: string): string =>
  composed(userName.replace(WIDTHS, (character) => character.normalize('NFKC')));
