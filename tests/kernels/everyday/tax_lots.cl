// Realised gains of accounts that sell from several tax lots. Amounts are in cents.

#define LOTS 4
#define SALES 2

typedef enum { Fifo, Lifo, HighestCost, LowestGainTax } LotMethod;

typedef struct {
    ushort day;
    ushort price;
    int quantity;
} Lot;

typedef struct {
    ushort day;
    ushort price;
    uchar quantity;
    uchar flags;
} Sale;

typedef struct {
    long shortTerm;
    long longTerm;
    long disallowed;
    uint tax;
    ushort unfilled;
    uchar lotsClosed;
    uchar washes;
} Report;

typedef struct {
    long shortRate;  // per mille
    long longRate;
    int longTermDays;
    int washDays;
} TaxRules;

bool isLongTerm(const Lot *lot, ushort saleDay, const TaxRules *rules)
{
    return saleDay - lot->day > rules->longTermDays;
}

// What an investor would rather sell has the higher rank.
long rankOf(const Lot *lot, const Sale *sale, LotMethod method, const TaxRules *rules)
{
    switch (method) {
    case Fifo:
        return -(long)lot->day;
    case Lifo:
        return lot->day;
    case HighestCost:
        return lot->price;
    default:
        break;
    }
    const long gain = (long)sale->price - lot->price;
    const long rate = isLongTerm(lot, sale->day, rules) ? rules->longRate : rules->shortRate;
    return -gain * rate;
}

int pickLot(const Lot *lots, const Sale *sale, LotMethod method, const TaxRules *rules)
{
    int best = -1;
    long bestRank = LONG_MIN;
    for (int i = 0; i < LOTS; i++) {
        if (lots[i].quantity == 0 || lots[i].day > sale->day)
            continue;
        const long rank = rankOf(&lots[i], sale, method, rules);
        if (rank > bestRank) {
            bestRank = rank;
            best = i;
        }
    }
    return best;
}

// A loss does not count if shares were bought shortly before or after the sale.
bool isWash(const Lot *lots, int sold, const Sale *sale, int washDays)
{
    for (int i = 0; i < LOTS; i++) {
        const int apart = abs((int)lots[i].day - (int)sale->day);
        if (i != sold && apart <= washDays)
            return true;
    }
    return false;
}

__kernel void tax_lots(__global const ushort2 *purchases, __global const uchar *quantities,
                       __global const Sale *sales, __global Report *reports,
                       __global long *balances, TaxRules rules, uint accounts)
{
    const uint account = get_global_id(0);
    if (account >= accounts)
        return;

    Lot lots[LOTS];
    long costBasis = 0;
    for (int i = 0; i < LOTS; i++) {
        const uint at = account * LOTS + i;
        const ushort2 purchase = purchases[at];
        lots[i].day = purchase.x;
        lots[i].price = purchase.y;
        lots[i].quantity = quantities[at];
        costBasis += (long)lots[i].quantity * lots[i].price;
    }

    const LotMethod method = (LotMethod)(account % 4);
    Report report = {0, 0, 0, 0, 0, 0, 0};
    long proceeds = 0;

    for (int s = 0; s < SALES; s++) {
        const Sale sale = sales[account * SALES + s];
        if ((sale.flags & 7) == 7)  // cancelled
            continue;
        int open = sale.quantity;
        while (open > 0) {
            const int chosen = pickLot(lots, &sale, method, &rules);
            if (chosen < 0)
                break;
            Lot *lot = &lots[chosen];
            const int filled = min(open, lot->quantity);
            const long gain = ((long)sale.price - lot->price) * filled;
            lot->quantity -= filled;
            open -= filled;
            proceeds += (long)sale.price * filled;
            costBasis -= (long)lot->price * filled;
            if (lot->quantity == 0)
                report.lotsClosed++;

            if (gain < 0 && isWash(lots, chosen, &sale, rules.washDays)) {
                report.disallowed -= gain;
                report.washes++;
                continue;
            }
            if (isLongTerm(lot, sale.day, &rules))
                report.longTerm += gain;
            else
                report.shortTerm += gain;
        }
        report.unfilled += open;
    }

    // Losses of one kind offset gains of the other.
    long taxableShort = report.shortTerm;
    long taxableLong = report.longTerm;
    if (taxableShort < 0 && taxableLong > 0) {
        taxableLong = max(taxableLong + taxableShort, 0L);
        taxableShort = 0;
    } else if (taxableLong < 0 && taxableShort > 0) {
        taxableShort = max(taxableShort + taxableLong, 0L);
        taxableLong = 0;
    }
    const long owed = max(taxableShort, 0L) * rules.shortRate + max(taxableLong, 0L) * rules.longRate;
    report.tax = (uint)((owed + 500) / 1000);

    reports[account] = report;
    balances[account] = proceeds - report.tax + costBasis;
}
