#!/bin/sh
# Who may do what in etcd: root everything, the user `bourse` only what is below the prefix of one exchange.
#
#   sh access.sh EXCHANGE FOLDER
#
# EXCHANGE is the name in the cluster file. FOLDER gets root.password, for operators, and node.password, for
# `etcd.passwordFile` of each cluster file, unless they are there. Where etcd is, etcdctl is told by its variables:
# ETCDCTL_ENDPOINTS, ETCDCTL_CACERT, ETCDCTL_CERT and ETCDCTL_KEY.
set -eu
umask 077
exchange=$1
folder=$2
export ETCDCTL_API=3
mkdir -p "$folder"

for who in root node; do
  if [ ! -e "$folder/$who.password" ]; then openssl rand -hex 24 > "$folder/$who.password"; fi
done
etcdctl user add root --interactive=false < "$folder/root.password"
etcdctl role add root
etcdctl user grant-role root root
etcdctl role add bourse
etcdctl role grant-permission bourse --prefix=true readwrite "/bourse/$exchange/"
etcdctl user add bourse --interactive=false < "$folder/node.password"
etcdctl user grant-role bourse bourse
etcdctl auth enable
