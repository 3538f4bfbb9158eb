# For etcdctl on a machine of a cluster: `. /etc/bourse/etcd/etcdctl.sh` in the shell that it is called from.
export ETCDCTL_API=3
# One member is asked: that of the machine 10.0.0.1. With several, etcdctl 3.4 wants the first one's name of all of them.
export ETCDCTL_ENDPOINTS=https://10.0.0.1:2379
export ETCDCTL_CACERT=/etc/bourse/etcd/ca.pem
export ETCDCTL_CERT=/etc/bourse/etcd/node.pem
export ETCDCTL_KEY=/etc/bourse/etcd/node.key
# Who administers, once etcd asks for passwords; it lies where operators put it.
if [ -r /etc/bourse/etcd/root.password ]; then
  export ETCDCTL_USER="root:$(cat /etc/bourse/etcd/root.password)"
fi
