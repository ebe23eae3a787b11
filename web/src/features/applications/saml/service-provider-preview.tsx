import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { DAY, type SamlConfiguration, type ServiceProvider } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';

type Certificate = SamlConfiguration['identityProvider']['certificates'][number];

const SOON_DAYS = 30;

/** Shortens `urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST` to `HTTP-POST`. */
const shortName = (urn: string) => urn.split(':').at(-1) ?? urn;

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="1">
      <chakra.dt textStyle="xs" fontWeight="medium" color="fg.muted">
        {term}
      </chakra.dt>
      <chakra.dd display="flex" flexDirection="column" gap="1" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </Flex>
  );
}

function Address({ location, binding, isDefault }: { location: string; binding: string; isDefault?: boolean }) {
  return (
    <Text>
      {location}
      <chakra.span color="fg.muted">{` · ${joinWithDots(shortName(binding), isDefault && t`default`)}`}</chakra.span>
    </Text>
  );
}

/** Shows when a certificate expires, with a warning if it has expired or soon will. */
export function CertificateValidity({ certificate }: { certificate: Pick<Certificate, 'notAfter' | 'isExpired'> }) {
  const isSoon = Date.parse(certificate.notAfter) - portalNow() < SOON_DAYS * DAY;
  return (
    <Flex as="span" align="center" gap="2" wrap="wrap">
      {formatDateTime(certificate.notAfter)}
      {certificate.isExpired ? (
        <StatusBadge status={t`Expired`} tone="danger" needsAction />
      ) : (
        isSoon && <StatusBadge status={t`Expiring`} tone="warning" needsAction />
      )}
    </Flex>
  );
}

/** Summarises a service provider's metadata, before and after saving. */
export function ServiceProviderPreview({ serviceProvider }: { serviceProvider: ServiceProvider }) {
  const { entityId, assertionConsumerServices, singleLogoutServices, certificates, warnings } = serviceProvider;
  return (
    <Flex direction="column" gap="4" role="group" aria-label={t`Metadata contents`}>
      {warnings.map((warning) => (
        <AlertLine key={warning} tone="warning">
          {warning}
        </AlertLine>
      ))}
      <chakra.dl display="flex" flexDirection="column" gap="4">
        <Fact term={t`Entity ID`}>{entityId}</Fact>
        <Fact term={t`Assertion consumer service`}>
          {assertionConsumerServices.map((service) => (
            <Address key={`${service.index} ${service.location}`} {...service} />
          ))}
        </Fact>
        <Fact term={t`Single logout service`}>
          {singleLogoutServices.length === 0 && (
            <Text color="fg.muted">{t({ message: 'None', context: 'services' })}</Text>
          )}
          {singleLogoutServices.map((service) => (
            <Address key={`${service.binding} ${service.location}`} {...service} />
          ))}
        </Fact>
        <Fact term={t`Certificates`}>
          {certificates.length === 0 && <Text color="fg.muted">{t`None (requests aren't signed)`}</Text>}
          {certificates.map((certificate) => (
            <Flex key={certificate.fingerprint + certificate.use} direction="column">
              <Text>
                {certificate.subject}
                <chakra.span color="fg.muted">{` · ${certificate.use}`}</chakra.span>
              </Text>
              <Flex gap="1.5" color="fg.muted" textStyle="sm" align="center">
                <Trans>
                  Valid until <CertificateValidity certificate={certificate} />
                </Trans>
              </Flex>
            </Flex>
          ))}
        </Fact>
      </chakra.dl>
    </Flex>
  );
}
