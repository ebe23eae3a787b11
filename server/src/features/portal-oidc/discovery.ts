import type { contract, FieldsOf } from '@orchestrate/shared';
import { z } from 'zod';
import type { DiscoveryAddress } from '#core/sign-in/discovery-address.ts';
import { readBoundedJson } from '#platform/http/requests/bounded-json.ts';

const address = z.string().max(2_000).refine(URL.canParse);
const words = z.array(z.string().max(200)).max(200);

/** Fields required by OpenID Connect Discovery 1.0 §3, and the optional fields that the portal uses. */
const discoveryDocument = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  response_types_supported: words,
  subject_types_supported: words,
  id_token_signing_alg_values_supported: words,
  userinfo_endpoint: address.nullish(),
  scopes_supported: words.nullish(),
  code_challenge_methods_supported: words.nullish(),
});

export type Discovery = Omit<FieldsOf<typeof contract.testOidcConfiguration>, 'checks'>;

/** Returns the document's contents, or a sentence explaining why it can't be used. */
export function readDiscovery(text: string, { issuer }: DiscoveryAddress): Discovery | { obstacle: string } {
  const json = readBoundedJson(text);
  if (typeof json !== 'object' || json === null) return { obstacle: 'There is no discovery document at this address' };
  const parsed = discoveryDocument.safeParse(json);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map(({ path: [name] }) => String(name)))];
    return { obstacle: `The discovery document doesn’t contain usable values for: ${names.join(', ')}` };
  }
  const found = parsed.data;
  if (found.issuer.replace(/\/$/, '') !== issuer) {
    return { obstacle: `This document isn’t for ${issuer}, because its issuer is ${found.issuer.slice(0, 200)}` };
  }
  return {
    issuer: found.issuer,
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    jwksUri: found.jwks_uri,
    userinfoEndpoint: found.userinfo_endpoint ?? null,
    scopesSupported: found.scopes_supported ?? [],
    codeChallengeMethodsSupported: found.code_challenge_methods_supported ?? [],
    warnings: warningsOf(found),
  };
}

function warningsOf(found: z.output<typeof discoveryDocument>): string[] {
  const scopes = found.scopes_supported;
  const checks: [isAmiss: boolean, sentence: string][] = [
    [
      !found.response_types_supported.includes('code'),
      "The provider doesn't support the code flow, so sign-in would fail.",
    ],
    [
      !found.code_challenge_methods_supported?.includes('S256'),
      "The provider doesn't announce support for PKCE with S256, so a stolen code could be used.",
    ],
    [
      found.issuer.startsWith('http:'),
      'The connection to the issuer is not encrypted. Use it only for tests on this machine.',
    ],
    [scopes?.includes('openid') === false, "The provider doesn't support the scope openid, so sign-in would fail."],
    [scopes?.includes('email') === false, "The provider doesn't support the scope email, which identifies members."],
  ];
  return checks.filter(([isAmiss]) => isAmiss).map(([, sentence]) => sentence);
}
