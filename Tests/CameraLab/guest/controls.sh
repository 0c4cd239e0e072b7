# Values that are read otherwise than set, laws of any shape, an automatic that comes back.
. ./lib-lies.sh

refuses 'chooses its white balance again' --comeback 8
refuses 'chooses its white balance again' --comeback 150
locks 0.5 --latency 20
locks 0.5 --slow 8
locks 0.5 --read-late 6
locks 0.5 --read-step 8
locks 0.5 --last-only
locks 0.5 --falling
locks 0.5 --flat 20
locks 2 --levels 48
finish
