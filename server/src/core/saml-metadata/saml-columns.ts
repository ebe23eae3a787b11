import type { serviceProviderRepo } from '@orchestrate/db';
import type { contract, RequestOf } from '@orchestrate/shared';

type SamlChange = Omit<
  RequestOf<typeof contract.updateSamlApp>['body'],
  'name' | 'description' | 'flags' | 'maxCookieLife' | 'startUrl' | 'usableBy'
>;

/** Maps SAML settings from the specification's names to columns. Absent settings are left out. */
export function samlColumns(change: SamlChange): serviceProviderRepo.ServiceProviderChange {
  const columns = {
    metadata: change.metadata,
    redirectUrl: change.redirectUrl,
    nameId: change.samlNameId,
    nameIdFormat: change.samlNameIdFormat,
    nameIdTransformationTemplate: change.samlNameIdTransformationTemplate,
    attributes: change.samlAttributes,
    attributesConfig: change.samlAttributesConfig,
    encryptAssertions: change.encryptAssertions,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
