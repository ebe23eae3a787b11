# A SAML service provider with omniauth-saml, which is ruby-saml in OmniAuth.
require_relative 'site'
require 'net/http'
require 'omniauth-saml'

LOGOUT = 'spslo'.freeze
BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings:'.freeze
signing = ENV.fetch('SIGNING') == 'true'

identity_provider = OneLogin::RubySaml::IdpMetadataParser.new.parse_to_hash(Net::HTTP.get(URI(ENV.fetch('IDP'))))
own = {
  name: :portal,
  sp_entity_id: "#{URL}/auth/portal/metadata",
  assertion_consumer_service_url: "#{URL}/auth/portal/callback",
  single_logout_service_url: "#{URL}/auth/portal/slo",
  name_identifier_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  slo_default_relay_state: "#{URL}/signed-out",
  certificate: signing ? ENV.fetch('CERTIFICATE') : nil,
  private_key: signing ? ENV.fetch('KEY') : nil,
  security: {
    authn_requests_signed: signing,
    logout_requests_signed: signing,
    logout_responses_signed: signing,
    want_assertions_signed: true,
    # The default is SHA-1, which can be forged.
    digest_method: XMLSecurity::Document::SHA256,
    signature_method: XMLSecurity::Document::RSA_SHA256
  }
}
serve(:saml, identity_provider.merge(own)) do |person|
  { 'person' => person.uid, 'saml_uid' => person.uid, 'saml_session_index' => person.extra.session_index }
end
