// Finds a user with the application's account and signs them in with go-ldap.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/go-ldap/ldap"
)

func dial(dn, password string) *ldap.Conn {
	connection, err := ldap.DialURL(os.Getenv("ADDRESS"))
	if err != nil {
		log.Fatal(err)
	}
	if err := connection.Bind(dn, password); err != nil {
		log.Fatal(err)
	}
	return connection
}

func main() {
	email := os.Getenv("EMAIL")
	filter := fmt.Sprintf("(&(objectClass=inetOrgPerson)(mail=%s))", ldap.EscapeFilter(email))
	wish := ldap.NewSearchRequest(os.Getenv("BASE_DN"), ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, 0, 0, false,
		filter, []string{"mail", "memberOf"}, nil)
	// With paging, as is common in Go programs.
	found, err := dial(os.Getenv("BIND_DN"), os.Getenv("SECRET")).SearchWithPaging(wish, 50)
	if err != nil {
		log.Fatal(err)
	}
	if len(found.Entries) != 1 {
		log.Fatalf("%d people were found", len(found.Entries))
	}
	person := found.Entries[0]
	if os.Args[1] == "search" {
		fmt.Println("mail: " + person.GetAttributeValue("mail"))
		return
	}
	dial(person.DN, "x")
	fmt.Println("Welcome, " + email)
}
