/**
 * The addresses of an organisation as identity provider for one SAML application; `publicUrl` is the portal's origin.
 */
export function idpAddresses(publicUrl: string, { orgCode, appId }: { orgCode: string; appId: string }) {
  const entityId = `${publicUrl}/saml/${orgCode}/${appId}`;
  return {
    entityId,
    singleSignOnUrl: `${entityId}/sso`,
    singleLogoutUrl: `${entityId}/slo`,
    metadataUrl: `${publicUrl}/api/login/idp-metadata.xml?${new URLSearchParams({ orgCode, appId })}`,
  };
}
