# Finds a user with the application's account and signs them in with Net::LDAP.
require 'net/ldap'
require 'uri'

address = URI(ENV.fetch('ADDRESS'))
service = { method: :simple, username: ENV.fetch('BIND_DN'), password: ENV.fetch('SECRET') }
base = ENV.fetch('BASE_DN')
directory = Net::LDAP.new(host: address.host, port: address.port, auth: service, base: base)
filter = Net::LDAP::Filter.eq('mail', ENV.fetch('EMAIL'))
if ARGV[0] == 'search'
  directory.search(filter: filter) { |entry| puts "mail: #{entry.mail.first}" }
  puts directory.get_operation_result.message
elsif directory.bind_as(filter: filter, password: 'x')
  puts "Welcome, #{ENV.fetch('EMAIL')}"
end
