#!/bin/sh
# Settings of one machine of a cluster, from the folders `deploy` and `certificates`, which stand in the current one:
#
#   sh deploy/systemd/machine.sh NAME ADDRESS
#
# Writes /etc/bourse and the units. A machine for which there is no certificates/NAME.pem gets a node alone, and no member
# of etcd. What is there is written anew.
set -eu
umask 077
name=$1
address=$2
mkdir -p /etc/bourse/etcd
chmod 755 /etc/bourse /etc/bourse/etcd

own() {
  sed "s/10\.0\.0\.1\"/$address\"/; s/\"node\": \"one\"/\"node\": \"$name\"/" "$1" > "$2"
  chmod 644 "$2"
}
own deploy/systemd/bourse.json /etc/bourse/bourse.json
own deploy/systemd/cluster.json /etc/bourse/cluster.json
cp certificates/master.key certificates/operator.token /etc/bourse/
cp certificates/ca.pem certificates/node.pem certificates/node.key /etc/bourse/etcd/
if [ -e certificates/node.password ]; then cp certificates/node.password /etc/bourse/etcd/; fi
chown bourse: /etc/bourse/etcd/node.*
sed "s/10\.0\.0\.1/$address/" deploy/etcd/etcdctl.sh > /etc/bourse/etcd/etcdctl.sh
cp deploy/systemd/bourse-node.service /etc/systemd/system/

if [ -e "certificates/$name.pem" ]; then
  cp "certificates/$name.pem" /etc/bourse/etcd/member.pem
  cp "certificates/$name.key" /etc/bourse/etcd/member.key
  cp deploy/etcd/common.env /etc/bourse/etcd/
  sed "/^ETCD_INITIAL_CLUSTER=/!s/10\.0\.0\.1/$address/; s/^ETCD_NAME=one/ETCD_NAME=$name/" deploy/etcd/member.env \
    > /etc/bourse/etcd/member.env
  cp deploy/systemd/bourse-etcd.service /etc/systemd/system/
fi
chmod 644 /etc/bourse/etcd/*.pem
systemctl daemon-reload
