# An application that signs users in with GitLab's omniauth_openid_connect.
require_relative 'site'
require 'omniauth_openid_connect'

LOGOUT = 'logout'.freeze
# These libraries always use https otherwise.
[SWD, WebFinger].each { |library| library.url_builder = URI::HTTP }

client = { identifier: ENV.fetch('CLIENT_ID'), secret: ENV.fetch('CLIENT_SECRET'), redirect_uri: "#{URL}/auth/portal/callback" }
options = {
  name: :portal,
  issuer: ENV.fetch('ISSUER'),
  discovery: true,
  scope: %i[openid profile email],
  response_type: :code,
  post_logout_redirect_uri: "#{URL}/signed-out",
  client_options: client
}
serve(:openid_connect, options) { |person| { 'person' => person.info.email, 'first_name' => person.info.first_name } }
