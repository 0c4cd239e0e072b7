// Without the trait `GenICam` the module is empty, and needs no library.
import GenICam
