// Each store of a truth kernel has a slot of its own: what variable X held there, in each work-item.
// A kernel that uses them has parameters `global ulong *truth` and its own index `gid`.
#define ITEMS 64
#define SLOT(k) truth[(k) * ITEMS + gid]
#define T(k, x) SLOT(k) = (ulong)(x)
#define TF(k, x) SLOT(k) = as_uint(x)
#define TD(k, x) SLOT(k) = as_ulong(x)
#define TH(k, x) SLOT(k) = as_ushort(x)
