# Finds a user with the application's account and signs them in with Net::LDAP.
use strict;
use warnings;
use Net::LDAP;

my $directory = Net::LDAP->new($ENV{ADDRESS}) or die $@;
sub require_success { my ($answer) = @_; die 'Refused: ', $answer->error, "\n" if $answer->code; return $answer; }

require_success($directory->bind($ENV{BIND_DN}, password => $ENV{SECRET}));
my $found = require_success($directory->search(base => $ENV{BASE_DN}, filter => "(mail=$ENV{EMAIL})"));
my $person = $found->entry(0);
if ($ARGV[0] eq 'search') {
  print 'mail: ', $person->get_value('mail'), "\n";
} else {
  require_success($directory->bind($person->dn, password => 'x'));
  print "Welcome, $ENV{EMAIL}\n";
}
