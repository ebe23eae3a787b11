# Signs a user in with Authen::Radius, which only sends a Message-Authenticator if configured.
use strict;
use warnings;
use Authen::Radius;

my %settings = (Host => "127.0.0.1:$ENV{PORT}", Secret => $ENV{SECRET}, TimeOut => 10, Rfc3579MessageAuth => 1);
my $server = Authen::Radius->new(%settings);
print $server->check_pwd($ENV{EMAIL}, 'x') ? "Welcome, $ENV{EMAIL}\n" : 'Refused: ' . $server->strerror . "\n";
