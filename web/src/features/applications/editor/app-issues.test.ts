import { expect, test } from 'vitest';
import { samlCreateBody } from './app-bodies.ts';
import { attributesOf, newSamlForm } from './app-form.ts';
import { fieldOfIssue } from './app-issues.ts';

const form = newSamlForm(
  { name: 'Travel', description: '', appId: 'travel' },
  {
    maxCookieLife: 90,
    didEnabled: true,
    webAuthnEnabled: false,
    desktopAppEnabled: true,
    forceAuthnEnabled: false,
    samlNameId: 'email',
    samlNameIdFormat: 'of-nowhere',
    samlNameIdTransformationTemplate: '',
    samlAttributes: ['email', 'fullName', 'groups'],
  },
);
const configured = {
  ...form,
  saml: form.saml && {
    ...form.saml,
    attributes: attributesOf(
      ['email', 'fullName', 'groups'],
      [{ name: 'groups', format: 'urn:basic', transform: 'staff' }],
    ),
  },
};

// covers: spec 2.2.31, spec 2.5.6
test('converts minutes in the form to seconds, rounded up', () => {
  expect(form.maxCookieMinutes).toBe(2);
  expect(samlCreateBody(form).maxCookieLife).toBe(120);
});

// covers: spec 2.3.4
test('sends attribute names, and the configuration of attributes that have one', () => {
  expect(samlCreateBody(configured)).toMatchObject({
    samlAttributes: ['email', 'fullName', 'groups'],
    samlAttributesConfig: [{ name: 'groups', format: 'urn:basic', transform: 'staff' }],
    samlNameIdFormat: '',
  });
});

test.each([
  ['name', 'name'],
  ['samlNameId', 'saml.samlNameId'],
  ['oidcConfiguration.clients.redirect_uris.1', 'oidc.callbackUrls.1.value'],
  ['samlAttributes.2', 'saml.attributes.2.name'],
  ['samlAttributesConfig.0.transform', 'saml.attributes.2.configs.1.value'],
  ['samlAttributesConfig.0.name', 'saml.attributes.2.name'],
  ['samlAttributesConfig.9.transform', undefined],
  ['nowhere', undefined],
])('maps an error in %s to %s', (path, field) => {
  expect(fieldOfIssue(path, configured)).toBe(field);
});
