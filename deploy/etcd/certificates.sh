#!/bin/sh
# What members of etcd and nodes of the exchange prove themselves with: an authority of its own, a certificate for each
# member, and one for all nodes.
#
#   sh certificates.sh FOLDER NAME=HOST[,HOST…] …
#
# NAME is that of a member, HOST an address or a name by which it is reached. Makes FOLDER/ca.pem, FOLDER/NAME.pem with
# NAME.key, and FOLDER/node.pem with node.key; the authority's own key, ca.key, is needed for further certificates only:
# keep it apart. What is there is kept: remove a certificate to have it made anew, by the same authority.
set -eu
umask 077
folder=$1
shift
mkdir -p "$folder"
cd "$folder"

curve='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
if [ ! -e ca.pem ]; then
  openssl req -x509 $curve -days 3650 -subj '/CN=etcd of the exchange' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout ca.key -out ca.pem
fi

# Makes the certificate $1 for the usages $2, valid for two years; $3: lines about it.
issue() {
  if [ -e "$1.pem" ]; then return; fi
  openssl req -new $curve -subj "/O=$1" -keyout "$1.key" -out "$1.csr"
  printf 'basicConstraints=CA:false\nextendedKeyUsage=%s\n%s\n' "$2" "$3" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 730 -extfile "$1.ext" -out "$1.pem"
  rm "$1.csr" "$1.ext"
}

for member in "$@"; do
  # On its own machine a member may call itself by any address.
  names=DNS:localhost
  for host in $(echo "${member#*=}" | tr ',' ' '); do
    case $host in
      *[!0-9.]*) kind=DNS ;;
      *) kind=IP ;;
    esac
    names="$names,$kind:$host"
  done
  # Members are clients of each other, and the JSON API of a member is a client of that member.
  issue "${member%%=*}" serverAuth,clientAuth "subjectAltName=$names"
done
# Without a host: etcd would hold it against the address that a node calls from. None has a common name: etcd would take
# it for that of a user, which its JSON API refuses.
issue node clientAuth ''
