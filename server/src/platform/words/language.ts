import negotiate from '@fastify/accept-negotiator';
import { LANGUAGES, type Language, languageAsSubprotocol } from '@orchestrate/shared';
import type { FastifyRequest } from 'fastify';

type Asking = Pick<FastifyRequest, 'headers'> & { caller: { member: { language: Language | null } } | null };

/**
 * Returns the language for a user's messages: the one chosen in their profile, otherwise the one offered as a
 * WebSocket subprotocol, otherwise the supported one that `Accept-Language` prefers (RFC 9110 §12.5.4), otherwise
 * English.
 */
export function languageOf({ headers, caller }: Asking): Language {
  return caller?.member.language ?? offeredLanguage(headers) ?? preferredLanguage(headers['accept-language']) ?? 'en';
}

function offeredLanguage({ 'sec-websocket-protocol': offered }: FastifyRequest['headers']): Language | undefined {
  const protocols = offered?.split(',').map((protocol) => protocol.trim());
  return LANGUAGES.find((language) => protocols?.includes(languageAsSubprotocol(language)));
}

function preferredLanguage(accepted: string | undefined): Language | undefined {
  if (accepted === undefined) return undefined;
  // There is a single German translation, so regional variants map to it: `de-AT` means `de`.
  const languages = accepted.toLowerCase().replaceAll(/-[a-z\d-]+/g, '');
  return LANGUAGES.find((language) => language === negotiate(languages, [...LANGUAGES]));
}
